"""Encodings that say nothing about themselves: told with certainty, or refused."""

from __future__ import annotations

import builtins
import random
import time
from typing import TYPE_CHECKING, Any, Final

import pytest

from symfonic.adapters.knowledge.extractors.charsets import codec_of
from symfonic.adapters.knowledge.extractors.decoding import decode_text
from symfonic.adapters.knowledge.ports import ExtractionError

if TYPE_CHECKING:
    from collections.abc import Iterator

#: A text of each language, and the encodings it was written in before Unicode.
TEXTS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "German": (
        (
            "Die Bücherei öffnet montags um neun Uhr. Wer ein Buch später zurückgibt, zahlt eine "
            "kleine Gebühr; größere Schäden müssen ersetzt werden. Für Schüler und ältere Leser gelten "
            "günstigere Preise, und über Weihnachten bleibt das Gebäude geschlossen. Fragen beantwortet "
            "das Büro im Erdgeschoß."
        ),
        ("cp1252",),
    ),
    "French": (
        (
            "La bibliothèque ouvre le lundi à neuf heures. Celui qui rend un livre après la date "
            "prévue paie une légère pénalité ; les dégâts plus sérieux doivent être réglés. Les élèves "
            "et les lecteurs âgés bénéficient d’un tarif réduit, et le bâtiment reste fermé à Noël. "
            "L’accueil se trouve au rez-de-chaussée, où l’on répond aux questions."
        ),
        ("cp1252",),
    ),
    "Spanish": (
        (
            "La biblioteca abre los lunes a las nueve de la mañana. Quien devuelva un libro después "
            "del plazo pagará una pequeña multa; los daños mayores se cobrarán según su valor. Los "
            "niños y las personas mayores tienen una tarifa más económica. ¿Tiene alguna duda? El "
            "personal de información está en la planta baja, junto al café."
        ),
        ("cp1252",),
    ),
    "Portuguese": (
        (
            "A biblioteca abre às segundas-feiras às nove horas. Quem devolver um livro após o prazo "
            "pagará uma pequena multa; os danos maiores serão cobrados. As crianças e os leitores "
            "mais velhos têm preços reduzidos, e o edifício não abre no Natal. As informações são "
            "dadas no rés do chão, à direita da entrada."
        ),
        ("cp1252",),
    ),
    "Swedish": (
        (
            "Biblioteket öppnar klockan nio på måndagar. Den som lämnar tillbaka en bok för sent "
            "får betala en liten avgift, och större skador måste ersättas. För skolbarn och äldre "
            "läsare gäller lägre priser. Mellan jul och nyår är huset stängt. Frågor besvaras på "
            "bottenvåningen, där även våra öppettider hänger."
        ),
        ("cp1252",),
    ),
    "Finnish": (
        (
            "Kirjasto avataan maanantaisin kello yhdeksän. Joka palauttaa kirjan myöhässä, maksaa "
            "pienen maksun; suuremmat vahingot täytyy korvata. Koululaisille ja iäkkäille lukijoille "
            "hinnat ovat edullisempia, ja jouluna rakennus pysyy suljettuna. Kysymyksiin vastataan "
            "pohjakerroksessa, missä myös näyttely järjestetään."
        ),
        ("cp1252",),
    ),
    "Polish": (
        (
            "Biblioteka otwiera się w poniedziałki o dziewiątej. Kto odda książkę po terminie, płaci "
            "niewielką opłatę; większe szkody trzeba pokryć. Uczniowie i starsi czytelnicy mają niższe "
            "ceny, a w święta budynek jest zamknięty. Na pytania odpowiadają pracownicy na parterze, "
            "gdzie można też usiąść i spokojnie coś przeczytać."
        ),
        ("cp1250", "iso8859-2"),
    ),
    "Czech": (
        (
            "Knihovna se otevírá v pondělí v devět hodin. Kdo vrátí knihu později, zaplatí malý poplatek; "
            "větší škody je třeba nahradit. Žáci a starší čtenáři mají nižší ceny a o Vánocích zůstává "
            "budova zavřená. Na otázky odpoví zaměstnanci v přízemí, kde si můžete také sednout a "
            "v klidu číst."
        ),
        ("cp1250", "iso8859-2"),
    ),
    "Hungarian": (
        (
            "A könyvtár hétfőn kilenc órakor nyit. Aki későn hozza vissza a könyvet, kis díjat fizet; "
            "a nagyobb károkat meg kell téríteni. A diákoknak és az idősebb olvasóknak olcsóbb, karácsonykor "
            "pedig az épület zárva tart. A kérdésekre a földszinten válaszolnak, ahol kényelmesen "
            "le is lehet ülni, és újságot is lehet olvasni."
        ),
        ("cp1250", "iso8859-2"),
    ),
    "Croatian": (
        (
            "Knjižnica se otvara ponedjeljkom u devet sati. Tko vrati knjigu kasnije, plaća malu "
            "pristojbu; veću štetu treba nadoknaditi. Učenici i stariji čitatelji plaćaju manje, "
            "a za Božić je zgrada zatvorena. Na pitanja odgovaraju djelatnici u prizemlju, gdje se "
            "može sjesti i čitati u miru, osobito između ručka i večeri."
        ),
        ("cp1250", "iso8859-2"),
    ),
    "Romanian": (
        (
            "Biblioteca se deschide lunea la ora nouă. Cine înapoiază o carte mai târziu plăteşte "
            "o taxă mică; pagubele mai mari trebuie acoperite. Elevii şi cititorii în vârstă au preţuri "
            "mai mici, iar de Crăciun clădirea rămâne închisă. La întrebări răspund angajaţii de "
            "la parter, unde se poate şi sta în linişte la citit."
        ),
        ("cp1250", "iso8859-2"),
    ),
    "Lithuanian": (
        (
            "Biblioteka atsidaro pirmadieniais devintą valandą. Kas grąžina knygą vėliau, moka nedidelį "
            "mokestį; didesnę žalą reikia atlyginti. Moksleiviams ir vyresniems skaitytojams kainos "
            "mažesnės, o per Kalėdas pastatas uždarytas. Į klausimus atsako darbuotojai pirmame aukšte, "
            "kur galima ir ramiai paskaityti šviežią laikraštį."
        ),
        ("cp1257", "iso8859-13"),
    ),
    "Turkish": (
        (
            "Kütüphane pazartesi günleri saat dokuzda açılır. Kitabı geç getiren küçük bir ücret "
            "öder; büyük zararların karşılanması gerekir. Öğrenciler ve yaşlı okurlar için fiyatlar "
            "daha düşüktür, bayramda ise bina kapalıdır. Soruları giriş katındaki görevliler yanıtlar; "
            "orada oturup sessizce okumak da mümkündür. İyi okumalar!"
        ),
        ("cp1254", "iso8859-9"),
    ),
    "Greek": (
        (
            "Η βιβλιοθήκη ανοίγει κάθε Δευτέρα στις εννέα το πρωί. Όποιος επιστρέφει ένα βιβλίο αργότερα "
            "πληρώνει μικρό πρόστιμο· οι μεγαλύτερες ζημιές πρέπει να καλυφθούν. Οι μαθητές και οι "
            "ηλικιωμένοι αναγνώστες πληρώνουν λιγότερα, και τα Χριστούγεννα το κτίριο μένει κλειστό. "
            "Στις ερωτήσεις απαντούν στο ισόγειο."
        ),
        ("cp1253", "iso8859-7"),
    ),
    "Russian": (
        (
            "Библиотека открывается по понедельникам в девять часов. Кто вернёт книгу позже, платит "
            "небольшой сбор; более крупный ущерб нужно возместить. Для школьников и пожилых читателей "
            "цены ниже, а в праздники здание закрыто. На вопросы отвечают сотрудники на первом этаже, "
            "где можно также посидеть и спокойно почитать."
        ),
        ("cp1251", "koi8_r", "iso8859-5", "cp866", "mac_cyrillic"),
    ),
    "Ukrainian": (
        (
            "Бібліотека відчиняється щопонеділка о дев'ятій годині. Хто поверне книжку пізніше, сплачує "
            "невеликий збір; більшу шкоду потрібно відшкодувати. Для учнів і літніх читачів ціни "
            "нижчі, а на свята будівля зачинена. На запитання відповідають працівники на першому "
            "поверсі, де можна також посидіти й спокійно почитати їхні книжки."
        ),
        ("cp1251", "koi8_u"),
    ),
    "Bulgarian": (
        (
            "Библиотеката отваря в понеделник в девет часа. Който върне книга по-късно, плаща малка "
            "такса; по-големите щети трябва да се възстановят. За учениците и възрастните читатели "
            "цените са по-ниски, а по празниците сградата е затворена. На въпросите отговарят служителите "
            "на първия етаж, където човек може да поседне и да чете."
        ),
        ("cp1251",),
    ),
    "Hebrew": (
        (
            "הספרייה נפתחת בימי שני בשעה תשע. מי שמחזיר ספר באיחור משלם קנס קטן, ועל נזק גדול יותר "
            "צריך לפצות. לתלמידים ולקוראים מבוגרים המחירים נמוכים יותר, ובחגים הבניין סגור. העובדים "
            "בקומת הקרקע עונים על שאלות, ואפשר גם לשבת שם ולקרוא בשקט. בערב נפגשים כאן אנשים שאוהבים "
            "לדבר על ספרים חדשים."
        ),
        ("cp1255", "iso8859-8"),
    ),
    "Arabic": (
        (
            "تفتح المكتبة يوم الاثنين في الساعة التاسعة. من يعيد الكتاب متأخرا يدفع رسما صغيرا، أما "
            "الأضرار الكبيرة فيجب التعويض عنها. للطلاب والقراء الكبار أسعار أقل، وفي الأعياد يبقى "
            "المبنى مغلقا. يجيب الموظفون في الطابق الأرضي عن الأسئلة، ويمكن الجلوس هناك والقراءة "
            "في هدوء حتى المساء."
        ),
        ("cp1256", "iso8859-6"),
    ),
    "Vietnamese": (
        (
            "Thư viện mở cửa lúc chín giờ sáng thứ hai. Ai trả sách muộn phải đóng một khoản phí "
            "nhỏ; những hư hại lớn hơn phải được đền bù. Học sinh và người đọc lớn tuổi được giảm "
            "giá, còn ngày lễ thì tòa nhà đóng cửa. Nhân viên ở tầng trệt sẽ trả lời các câu hỏi, "
            "và bạn cũng có thể ngồi đó đọc sách yên tĩnh."
        ),
        (),
    ),
    "Thai": (
        (
            "ห้องสมุดเปิดทุกวันจันทร์เวลาเก้าโมงเช้า ผู้ที่คืนหนังสือช้าต้องเสียค่าปรับเล็กน้อย ส่วนความเสียห"
            "ายที่มากกว่านั้นต้องชดใช้ นักเรียนและผู้สูงอายุจ่ายน้อยกว่า และอาคารปิดในวันหยุด เจ้าหน้าที่ที่ช"
            "ั้นล่างตอบคำถามและยังมีที่นั่งอ่านหนังสือเงียบ ๆ ด้วย"
        ),
        ("cp874",),
    ),
    "Japanese": (
        (
            "図書館は月曜日の九時に開きます。本を遅れて返した人は少しの料金を払い、大きな損害は弁償しなければ"
            "なりません。学生やお年寄りの料金は安く、祝日には建物が閉まります。質問には一階の職員が答えます。"
            "そこでは静かに座って読むこともできます。新しい雑誌やマンガ、カタログも置いてあります。"
        ),
        ("cp932", "euc_jp"),
    ),
    "Chinese": (
        (
            "图书馆每星期一上午九点开门。还书晚了的人要付一点费用，较大的损坏必须赔偿。学生和年纪大的读者可以"
            "少付钱，节日期间大楼关闭。一楼的工作人员会回答大家的问题，那里也可以安静地坐下来看书。新的杂志放"
            "在门口，报纸在窗户旁边。我们希望大家都能找到自己喜欢的书。"
        ),
        ("gb18030",),
    ),
    "Traditional Chinese": (
        (
            "圖書館每星期一上午九點開門。還書晚了的人要付一點費用，較大的損壞必須賠償。學生和年紀大的讀者可以"
            "少付錢，節日期間大樓關閉。一樓的工作人員會回答大家的問題，那裡也可以安靜地坐下來看書。新的雜誌放"
            "在門口，報紙在窗戶旁邊。我們希望大家都能找到自己喜歡的書。"
        ),
        ("big5hkscs",),
    ),
    "Korean": (
        (
            "도서관은 월요일 아홉 시에 문을 엽니다. 책을 늦게 돌려주는 사람은 적은 요금을 내고, 더 "
            "큰 손해는 물어야 합니다. 학생과 나이 많은 독자는 더 적게 내며, 명절에는 건물이 닫혀 "
            "있습니다. 일 층 직원들이 질문에 답하고, 그곳에 앉아서 조용히 읽을 수도 있습니다. 새 "
            "잡지는 입구에 놓여 있습니다."
        ),
        ("cp949",),
    ),
}

LENGTHS: Final = (40, 200, 2000)
TURNS: Final = 4


def decoded(data: bytes) -> str | None:
    """The text, or none where it is refused."""
    try:
        return decode_text(data, name="a.txt")
    except ExtractionError:
        return None


def cut(text: str, encoding: str, length: int) -> bytes:
    """The beginning of a text, repeated if need be, in at most so many bytes and whole characters."""
    data = (text * (length // len(text) + 1)).encode(encoding)[:length]
    return data.decode(encoding, "ignore").encode(encoding)


def samples(encodings: tuple[str, ...] = ()) -> Iterator[tuple[str, int, bytes, str]]:
    """Every text, begun at several places, in every encoding of its language or in those given, at every length."""
    for text, native in TEXTS.values():
        for encoding in encodings or native:
            for turn in range(TURNS):
                place = turn * len(text) // TURNS
                for length in LENGTHS:
                    data = cut(text[place:] + text[:place], encoding, length)
                    yield encoding, length, data, data.decode(encoding)


def shares(found: Iterator[tuple[str, int, bytes, str]], length: int) -> tuple[float, float]:
    """Shares of samples of a length that come out right and wrong; the rest is refused."""
    texts = [(decoded(data), text) for _, size, data, text in found if size == length]
    right = sum(got == text for got, text in texts)
    refused = sum(got is None for got, _ in texts)
    return round(right / len(texts), 3), round((len(texts) - right - refused) / len(texts), 3)


@pytest.mark.requirement("EX-ENC-2")
@pytest.mark.parametrize(("length", "right", "wrong"), [(40, 0.6, 0.02), (200, 0.85, 0.02), (2000, 0.9, 0.0)])
def test_old_encodings_of_25_languages_are_told_or_refused(length: int, right: float, wrong: float) -> None:
    """Most texts of a few lines come out as they were written, and hardly one as something else."""
    found = shares(samples(), length)
    assert (found[0] >= right, found[1] <= wrong) == (True, True), found


@pytest.mark.requirement("EX-ENC-1")
def test_unicode_without_a_mark_is_told_or_refused() -> None:
    """UTF-16 needs some characters of ASCII to tell its two orders of bytes apart; UTF-32 needs nothing."""
    wide = list(samples(("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")))
    assert [(encoding, text) for encoding, _, data, text in wide if decoded(data) not in {text, None}] == []
    refused = {encoding for encoding, length, data, _ in wide if decoded(data) is None and length > 40}
    assert refused <= {"utf-16-le", "utf-16-be"}


@pytest.mark.requirement("EX-ENC-1")
def test_escape_sequences_tell_iso_2022_jp() -> None:
    """An escape alone does not."""
    text = TEXTS["Japanese"][0]
    assert decoded(text.encode("iso2022_jp")) == text
    assert decoded(b"\x1b$ is no such sequence") == "\x1b$ is no such sequence"
    assert decoded(b"\x1b[1mbold letters") == "\x1b[1mbold letters"
    assert decoded(b"\x1b\x02\x03 and more") is None


@pytest.mark.requirement("EX-ENC-2")
@pytest.mark.parametrize(
    "text",
    [
        "Der Bär schläft. " + "He sleeps all winter. " * 20,
        "The coëfficiënt of friction. " * 20,
        "She said “no” – and left the café. " * 3,
        "Price: 12 € per m², 5 ½ pieces. " * 3,
    ],
)
def test_a_few_western_characters_suffice(text: str) -> None:
    """Most old files in Latin script hold few of them."""
    assert decoded(text.encode("cp1252")) == text


@pytest.mark.requirement("EX-ENC-2")
def test_bytes_that_are_no_text_are_refused() -> None:
    """Random bytes of a fixed seed; the shortest can be a text by chance."""
    source = random.Random(7)
    assert [size for size in (40, 200, 2000) for _ in range(50) if decoded(source.randbytes(size)) is not None] == []


@pytest.mark.requirement("EX-ENC-2")
def test_without_the_detector_the_narrow_rule_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows-1252 or nothing."""
    imported = builtins.__import__

    def without_detector(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("chardetng"):
            raise ModuleNotFoundError(name)
        return imported(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_detector)
    assert decoded("café, Größe and more".encode("cp1252")) == "café, Größe and more"
    assert decoded(b"caf\xe9 \x01") is None
    assert decoded(b"caf\x81") is None
    assert decoded(TEXTS["Russian"][0].encode("koi8_r")) is None


@pytest.mark.parametrize(
    ("name", "page", "mail"),
    [
        (" Windows-1251", "cp1251", "cp1251"),
        ("ISO-8859-1", "cp1252", "cp1252"),
        ("us-ascii", "cp1252", ""),
        ("unicode_escape", "", ""),
        ("utf-7", "", ""),
        ("", "", ""),
    ],
)
def test_names_of_encodings_are_those_of_the_web(name: str, page: str, mail: str) -> None:
    """Mail says ASCII where it knows nothing."""
    assert (codec_of(name), codec_of(name, mail=True)) == (page, mail)


@pytest.mark.parametrize("unit", [b"\xe9", b"a\xe9 ", b"\xf5\xfc", b"\xcf\xf0\xe8 ", b"\x1b$", b"a\0", b"\x81"])
def test_time_grows_with_the_text_only(unit: bytes) -> None:
    """Two million bytes of anything."""
    start = time.process_time()
    decoded(unit * (2_000_000 // len(unit)))
    assert time.process_time() - start < 4
