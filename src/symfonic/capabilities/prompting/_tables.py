"""Character tables of the prompt compiler's text hygiene.

Generated from the Unicode 17.0.0 data files by scripts/generate_unicode_tables.py. Do not edit:
run `python scripts/generate_unicode_tables.py DIRECTORY` again, and `--check` to see that nothing differs.
Strings named as character sets are the inside of a regular-expression class.

SHA-256 of what follows: 4579c4183a4f52375e2373aa313dcc6ad8f61f97c93eacadc8d506ac5ded4e15
"""

from __future__ import annotations

UNICODE_VERSION = "17.0.0"

# Everything that never has to be judged.
UNSUSPICIOUS = (
    "\x09-\x0d\x1c-\x1e -~\x85\xa0-\xac\xae-\u034e\u0350-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u200a"
    "\u200e-\u2029\u202f-\u205f\u2070-\u3163\u3165-\ufdcf\ufdf0-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef"
    "\ufffc\ufffd\U0001f000-\U0001faff\U00010000-\U0001bc9f\U0001bca4-\U0001d172\U0001d17b-\U0001efff"
    "\U0001fb00-\U0001fffd\U00020000-\U0002fffd\U00030000-\U0003fffd\U00040000-\U0004fffd\U00050000-\U0005fffd"
    "\U00060000-\U0006fffd\U00070000-\U0007fffd\U00080000-\U0008fffd\U00090000-\U0009fffd\U000a0000-\U000afffd"
    "\U000b0000-\U000bfffd\U000c0000-\U000cfffd\U000d0000-\U000dfffd\U000e1000-\U000efffd\U000f0000-\U000ffffd"
    "\U00100000-\U0010fffd"
)

# The same without marks, private use and rare planes.
ORDINARY = (
    "\x09-\x0d\x1c-\x1e -~\x85\xa0-\xac\xae-\u02ff\u0370-\u0482\u048a-\u0590\u05be\u05c0\u05c3\u05c6"
    "\u05c8-\u060f\u061b-\u064a\u0660-\u066f\u0671-\u06d5\u06dd\u06de\u06e5\u06e6\u06e9\u06ee-\u0710"
    "\u0712-\u072f\u074b-\u07a5\u07b1-\u07ea\u07f4-\u07fc\u07fe-\u0815\u081a\u0824\u0828\u082e-\u0858"
    "\u085c-\u0896\u08a0-\u08c9\u08e2\u0904-\u0939\u093d\u0950\u0958-\u0961\u0964-\u0980\u0984-\u09bb\u09bd"
    "\u09c5\u09c6\u09c9\u09ca\u09ce-\u09d6\u09d8-\u09e1\u09e4-\u09fd\u09ff\u0a00\u0a04-\u0a3b\u0a3d"
    "\u0a43-\u0a46\u0a49\u0a4a\u0a4e-\u0a50\u0a52-\u0a6f\u0a72-\u0a74\u0a76-\u0a80\u0a84-\u0abb\u0abd\u0ac6"
    "\u0aca\u0ace-\u0ae1\u0ae4-\u0af9\u0b00\u0b04-\u0b3b\u0b3d\u0b45\u0b46\u0b49\u0b4a\u0b4e-\u0b54"
    "\u0b58-\u0b61\u0b64-\u0b81\u0b83-\u0bbd\u0bc3-\u0bc5\u0bc9\u0bce-\u0bd6\u0bd8-\u0bff\u0c05-\u0c3b\u0c3d"
    "\u0c45\u0c49\u0c4e-\u0c54\u0c57-\u0c61\u0c64-\u0c80\u0c84-\u0cbb\u0cbd\u0cc5\u0cc9\u0cce-\u0cd4"
    "\u0cd7-\u0ce1\u0ce4-\u0cf2\u0cf4-\u0cff\u0d04-\u0d3a\u0d3d\u0d45\u0d49\u0d4e-\u0d56\u0d58-\u0d61"
    "\u0d64-\u0d80\u0d84-\u0dc9\u0dcb-\u0dce\u0dd5\u0dd7\u0de0-\u0df1\u0df4-\u0e30\u0e32\u0e33\u0e3b-\u0e46"
    "\u0e4f-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec7\u0ecf-\u0f17\u0f1a-\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f40-\u0f70"
    "\u0f85\u0f88-\u0f8c\u0f98\u0fbd-\u0fc5\u0fc7-\u102a\u103f-\u1055\u105a-\u105d\u1061\u1065\u1066"
    "\u106e-\u1070\u1075-\u1081\u108e\u1090-\u1099\u109e-\u115e\u1161-\u135c\u1360-\u1711\u1716-\u1731"
    "\u1735-\u1751\u1754-\u1771\u1774-\u17b3\u17d4-\u17dc\u17de-\u180a\u1810-\u1884\u1887-\u18a8\u18aa-\u191f"
    "\u192c-\u192f\u193c-\u1a16\u1a1c-\u1a54\u1a5f\u1a7d\u1a7e\u1a80-\u1aaf\u1ade\u1adf\u1aec-\u1aff"
    "\u1b05-\u1b33\u1b45-\u1b6a\u1b74-\u1b7f\u1b83-\u1ba0\u1bae-\u1be5\u1bf4-\u1c23\u1c38-\u1ccf\u1cd3"
    "\u1ce9-\u1cec\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa-\u1dbf\u1e00-\u200a\u200e-\u2029\u202f-\u205f\u2070-\u20cf"
    "\u20f1-\u2cee\u2cf2-\u2d7e\u2d80-\u2ddf\u2e00-\u3029\u3030-\u3098\u309b-\u3163\u3165-\ua66e\ua673"
    "\ua67e-\ua69d\ua6a0-\ua6ef\ua6f2-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua828-\ua82b\ua82d-\ua87f"
    "\ua882-\ua8b3\ua8c6-\ua8df\ua8f2-\ua8fe\ua900-\ua925\ua92e-\ua946\ua954-\ua97f\ua984-\ua9b2\ua9c1-\ua9e4"
    "\ua9e6-\uaa28\uaa37-\uaa42\uaa44-\uaa4b\uaa4e-\uaa7a\uaa7e-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0"
    "\uaac2-\uaaea\uaaf0-\uaaf4\uaaf7-\uabe2\uabeb\uabee-\udfff\uf900-\ufb1d\ufb1f-\ufdcf\ufdf0-\ufdff"
    "\ufe10-\ufe1f\ufe30-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc\ufffd\U0001f000-\U0001faff\U00020000-\U0002fffd"
)

# Every form at which some reader breaks a line.
LINE_BREAKS = (
    "\x0a-\x0d\x1c-\x1e\x85\u2028\u2029"
)

# Invisibles of ordinary text: one or two are removed.
SOFT_INVISIBLES = (
    "\xad\u200b\u2060-\u2064\ufeff"
)

# C0 and C1 controls that are neither tab nor line break.
CONTROLS = (
    "\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f"
)

# Invisible letters, fillers, annotation and deprecated format controls.
FILLERS = (
    "\u034f\u115f\u1160\u17b4\u17b5\u2065\u206a-\u206f\u3164\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0080-\U000e00ff\U000e01f0-\U000e0fff"
)

# Tag characters.
TAGS = (
    "\U000e0000-\U000e007f"
)

# Bidi embeddings, overrides and isolates.
BIDI_CONTROLS = (
    "\u202a-\u202e\u2066-\u2069"
)

# Non-characters.
NONCHARACTERS = (
    "\ufdd0-\ufdef\ufffe\uffff\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff\U0004fffe\U0004ffff"
    "\U0005fffe\U0005ffff\U0006fffe\U0006ffff\U0007fffe\U0007ffff\U0008fffe\U0008ffff\U0009fffe\U0009ffff"
    "\U000afffe\U000affff\U000bfffe\U000bffff\U000cfffe\U000cffff\U000dfffe\U000dffff\U000efffe\U000effff"
    "\U000ffffe\U000fffff\U0010fffe\U0010ffff"
)

# Bidi marks.
BIDI_MARKS = (
    "\u061c\u200e\u200f"
)

# Zero width non-joiner and joiner.
JOINERS = (
    "\u200c\u200d"
)

# Variation selectors.
SELECTORS = (
    "\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
)

# Those of ideographic variation sequences.
IDEOGRAPHIC_SELECTORS = (
    "\U000e0100-\U000e01ef"
)

# Private use.
PRIVATE_USE = (
    "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
)

# Combining marks, variation selectors apart.
MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3"
    "\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1"
    "\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4"
    "\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d"
    "\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3"
    "\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82"
    "\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d"
    "\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3"
    "\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83"
    "\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc"
    "\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f"
    "\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd"
    "\u1885\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add"
    "\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37"
    "\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f"
    "\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b"
    "\ua823-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983"
    "\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf"
    "\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe20-\ufe2f\U000101fd\U000102e0"
    "\U00010376-\U0001037a\U00010a01-\U00010a03\U00010a05\U00010a06\U00010a0c-\U00010a0f\U00010a38-\U00010a3a"
    "\U00010a3f\U00010ae5\U00010ae6\U00010d24-\U00010d27\U00010d69-\U00010d6d\U00010eab\U00010eac"
    "\U00010efa-\U00010eff\U00010f46-\U00010f50\U00010f82-\U00010f85\U00011000-\U00011002\U00011038-\U00011046"
    "\U00011070\U00011073\U00011074\U0001107f-\U00011082\U000110b0-\U000110ba\U000110c2\U00011100-\U00011102"
    "\U00011127-\U00011134\U00011145\U00011146\U00011173\U00011180-\U00011182\U000111b3-\U000111c0"
    "\U000111c9-\U000111cc\U000111ce\U000111cf\U0001122c-\U00011237\U0001123e\U00011241\U000112df-\U000112ea"
    "\U00011300-\U00011303\U0001133b\U0001133c\U0001133e-\U00011344\U00011347\U00011348\U0001134b-\U0001134d"
    "\U00011357\U00011362\U00011363\U00011366-\U0001136c\U00011370-\U00011374\U000113b8-\U000113c0\U000113c2"
    "\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d0\U000113d2\U000113e1\U000113e2\U00011435-\U00011446"
    "\U0001145e\U000114b0-\U000114c3\U000115af-\U000115b5\U000115b8-\U000115c0\U000115dc\U000115dd"
    "\U00011630-\U00011640\U000116ab-\U000116b7\U0001171d-\U0001172b\U0001182c-\U0001183a\U00011930-\U00011935"
    "\U00011937\U00011938\U0001193b-\U0001193e\U00011940\U00011942\U00011943\U000119d1-\U000119d7"
    "\U000119da-\U000119e0\U000119e4\U00011a01-\U00011a0a\U00011a33-\U00011a39\U00011a3b-\U00011a3e\U00011a47"
    "\U00011a51-\U00011a5b\U00011a8a-\U00011a99\U00011b60-\U00011b67\U00011c2f-\U00011c36\U00011c38-\U00011c3f"
    "\U00011c92-\U00011ca7\U00011ca9-\U00011cb6\U00011d31-\U00011d36\U00011d3a\U00011d3c\U00011d3d"
    "\U00011d3f-\U00011d45\U00011d47\U00011d8a-\U00011d8e\U00011d90\U00011d91\U00011d93-\U00011d97"
    "\U00011ef3-\U00011ef6\U00011f00\U00011f01\U00011f03\U00011f34-\U00011f3a\U00011f3e-\U00011f42\U00011f5a"
    "\U00013440\U00013447-\U00013455\U0001611e-\U0001612f\U00016af0-\U00016af4\U00016b30-\U00016b36\U00016f4f"
    "\U00016f51-\U00016f87\U00016f8f-\U00016f92\U00016fe4\U00016ff0\U00016ff1\U0001bc9d\U0001bc9e"
    "\U0001cf00-\U0001cf2d\U0001cf30-\U0001cf46\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182"
    "\U0001d185-\U0001d18b\U0001d1aa-\U0001d1ad\U0001d242-\U0001d244\U0001da00-\U0001da36\U0001da3b-\U0001da6c"
    "\U0001da75\U0001da84\U0001da9b-\U0001da9f\U0001daa1-\U0001daaf\U0001e000-\U0001e006\U0001e008-\U0001e018"
    "\U0001e01b-\U0001e021\U0001e023\U0001e024\U0001e026-\U0001e02a\U0001e08f\U0001e130-\U0001e136\U0001e2ae"
    "\U0001e2ec-\U0001e2ef\U0001e4ec-\U0001e4ef\U0001e5ee\U0001e5ef\U0001e6e3\U0001e6e6\U0001e6ee\U0001e6ef"
    "\U0001e6f5\U0001e8d0-\U0001e8d6\U0001e944-\U0001e94a"
)

# Those of the basic plane.
BASIC_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f"
    "\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3"
    "\u07fd\u0816-\u0819\u081b-\u0823\u0825-\u0827\u0829-\u082d\u0859-\u085b\u0897-\u089f\u08ca-\u08e1"
    "\u08e3-\u0903\u093a-\u093c\u093e-\u094f\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc\u09be-\u09c4"
    "\u09c7\u09c8\u09cb-\u09cd\u09d7\u09e2\u09e3\u09fe\u0a01-\u0a03\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d"
    "\u0a51\u0a70\u0a71\u0a75\u0a81-\u0a83\u0abc\u0abe-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae2\u0ae3"
    "\u0afa-\u0aff\u0b01-\u0b03\u0b3c\u0b3e-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57\u0b62\u0b63\u0b82"
    "\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7\u0c00-\u0c04\u0c3c\u0c3e-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d"
    "\u0c55\u0c56\u0c62\u0c63\u0c81-\u0c83\u0cbc\u0cbe-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0ce2\u0ce3"
    "\u0cf3\u0d00-\u0d03\u0d3b\u0d3c\u0d3e-\u0d44\u0d46-\u0d48\u0d4a-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83"
    "\u0dca\u0dcf-\u0dd4\u0dd6\u0dd8-\u0ddf\u0df2\u0df3\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc"
    "\u0ec8-\u0ece\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0f97\u0f99-\u0fbc"
    "\u0fc6\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f"
    "\u109a-\u109d\u135d-\u135f\u1712-\u1715\u1732-\u1734\u1752\u1753\u1772\u1773\u17b4-\u17d3\u17dd"
    "\u1885\u1886\u18a9\u1920-\u192b\u1930-\u193b\u1a17-\u1a1b\u1a55-\u1a5e\u1a60-\u1a7c\u1a7f\u1ab0-\u1add"
    "\u1ae0-\u1aeb\u1b00-\u1b04\u1b34-\u1b44\u1b6b-\u1b73\u1b80-\u1b82\u1ba1-\u1bad\u1be6-\u1bf3\u1c24-\u1c37"
    "\u1cd0-\u1cd2\u1cd4-\u1ce8\u1ced\u1cf4\u1cf7-\u1cf9\u1dc0-\u1dff\u20d0-\u20f0\u2cef-\u2cf1\u2d7f"
    "\u2de0-\u2dff\u302a-\u302f\u3099\u309a\ua66f-\ua672\ua674-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua802\ua806\ua80b"
    "\ua823-\ua827\ua82c\ua880\ua881\ua8b4-\ua8c5\ua8e0-\ua8f1\ua8ff\ua926-\ua92d\ua947-\ua953\ua980-\ua983"
    "\ua9b3-\ua9c0\ua9e5\uaa29-\uaa36\uaa43\uaa4c\uaa4d\uaa7b-\uaa7d\uaab0\uaab2-\uaab4\uaab7\uaab8\uaabe\uaabf"
    "\uaac1\uaaeb-\uaaef\uaaf5\uaaf6\uabe3-\uabea\uabec\uabed\ufb1e\ufe20-\ufe2f"
)

# Letters and marks of scripts that use joiners.
JOINING = (
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06fc\u06ff"
    "\u0710-\u074a\u074d-\u077f\u07ca-\u07f5\u07fa\u07fd\u0840-\u085b\u0860-\u086a\u0870-\u0887\u0889-\u088f"
    "\u0897-\u08e1\u08e3-\u094f\u0951\u0952\u0955-\u0963\u0972-\u0983\u0985-\u098c\u098f\u0990\u0993-\u09a8"
    "\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09ce\u09d7\u09dc\u09dd\u09df-\u09e3"
    "\u09f0\u09f1\u09fc\u09fe\u0a01-\u0a03\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a33"
    "\u0a35\u0a36\u0a38\u0a39\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a59-\u0a5c\u0a5e\u0a70-\u0a73"
    "\u0a75\u0a81-\u0a83\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9"
    "\u0abc-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae0-\u0ae3\u0af9-\u0aff\u0b01-\u0b03\u0b05-\u0b0c\u0b0f\u0b10"
    "\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b3c-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57"
    "\u0b5c\u0b5d\u0b5f-\u0b63\u0b71\u0b82\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99\u0b9a\u0b9c"
    "\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7"
    "\u0c00-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3c-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56"
    "\u0c58-\u0c5a\u0c5d\u0c60-\u0c63\u0c80-\u0c83\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3"
    "\u0cb5-\u0cb9\u0cbc-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0cdd\u0cde\u0ce0-\u0ce3\u0cf1-\u0cf3"
    "\u0d00-\u0d0c\u0d0e-\u0d10\u0d12-\u0d44\u0d46-\u0d48\u0d4a-\u0d4e\u0d54-\u0d57\u0d5f-\u0d63\u0d7a-\u0d7f"
    "\u0d81-\u0d83\u0d85-\u0d96\u0d9a-\u0db1\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0dca\u0dcf-\u0dd4\u0dd6"
    "\u0dd8-\u0ddf\u0df2\u0df3\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e\u0e81\u0e82\u0e84"
    "\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5\u0ea7-\u0eae\u0eb0-\u0ebd\u0ec0-\u0ec4\u0ec8-\u0ecb\u0ecd\u0ece"
    "\u0edc-\u0edf\u0f35\u0f37\u0f39\u0f40-\u0f47\u0f49-\u0f6c\u0f71-\u0f84\u0f88-\u0f97\u0f99-\u0fbc\u0fc6"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1700-\u1715\u171f-\u1734\u1740-\u1753\u1760-\u176c\u176e-\u1770"
    "\u1772\u1773\u1780-\u17b3\u17b6-\u17d3\u17dc\u17dd\u1820-\u1878\u1880-\u18aa\u1900-\u191e\u1920-\u192b"
    "\u1930-\u193b\u1950-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u1a00-\u1a1b\u1a20-\u1a5e\u1a60-\u1a7c"
    "\u1a7f\u1b00-\u1b4c\u1b80-\u1baf\u1bba-\u1bf3\u1c00-\u1c37\u1c4d-\u1c4f\u1cd0-\u1cd2\u1cd4-\u1ce1"
    "\u1cf2-\u1cfa\u1dfa\u1dfb\u20f0\ua800-\ua827\ua82c\ua840-\ua873\ua880-\ua8c5\ua8e0-\ua8f3\ua8fe\ua8ff"
    "\ua90a-\ua92d\ua930-\ua953\ua980-\ua9c0\ua9e0-\ua9e5\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa00-\uaa36\uaa40-\uaa4d"
    "\uaa60-\uaa6f\uaa71-\uaa76\uaa7a-\uaac2\uaae0-\uaaef\uaaf5\uaaf6\uabc0-\uabea\uabec\uabed\ufb50-\ufbb1"
    "\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe70-\ufe74\ufe76-\ufefc\U00010a00-\U00010a03"
    "\U00010a05\U00010a06\U00010a0c-\U00010a13\U00010a15-\U00010a17\U00010a19-\U00010a35\U00010a38-\U00010a3a"
    "\U00010a3f\U00010ac0-\U00010ac7\U00010ac9-\U00010ae6\U00010b80-\U00010b91\U00010d00-\U00010d27"
    "\U00010ec2-\U00010ec7\U00010efa-\U00010eff\U00010f30-\U00010f50\U00010f70-\U00010f85\U00010fb0-\U00010fc4"
    "\U00011000-\U00011046\U00011070-\U00011075\U0001107f-\U000110ba\U000110c2\U00011100-\U00011134"
    "\U00011144-\U00011147\U00011150-\U00011173\U00011180-\U000111c3\U000111c9-\U000111cc\U000111ce\U000111cf"
    "\U00011200-\U00011211\U00011213-\U00011237\U0001123e-\U00011241\U00011280-\U00011286\U00011288"
    "\U0001128a-\U0001128d\U0001128f-\U0001129d\U0001129f-\U000112a8\U000112b0-\U000112ea\U00011300-\U00011303"
    "\U00011305-\U0001130c\U0001130f\U00011310\U00011313-\U00011328\U0001132a-\U00011330\U00011332\U00011333"
    "\U00011335-\U00011339\U0001133b-\U00011344\U00011347\U00011348\U0001134b-\U0001134d\U00011357"
    "\U0001135e-\U00011363\U00011366-\U0001136c\U00011370-\U00011374\U00011380-\U00011389\U0001138b\U0001138e"
    "\U00011390-\U000113b5\U000113b7-\U000113c0\U000113c2\U000113c5\U000113c7-\U000113ca\U000113cc-\U000113d2"
    "\U000113e1\U000113e2\U00011400-\U00011447\U0001145e-\U00011461\U00011481-\U000114c4\U00011580-\U000115b5"
    "\U000115b8-\U000115c0\U000115d8-\U000115dd\U00011600-\U00011640\U00011680-\U000116b8\U00011700-\U0001171a"
    "\U0001171d-\U0001172b\U00011740-\U00011746\U00011800-\U0001183a\U00011900-\U00011906\U00011909"
    "\U0001190c-\U00011913\U00011915\U00011916\U00011918-\U00011935\U00011937\U00011938\U0001193b-\U00011943"
    "\U000119a0-\U000119a7\U000119aa-\U000119d7\U000119da-\U000119e1\U000119e4\U00011a00-\U00011a3e\U00011a47"
    "\U00011a50-\U00011a99\U00011a9d\U00011b60-\U00011b67\U00011c00-\U00011c08\U00011c0a-\U00011c36"
    "\U00011c38-\U00011c40\U00011c72-\U00011c8f\U00011c92-\U00011ca7\U00011ca9-\U00011cb6\U00011d00-\U00011d06"
    "\U00011d08\U00011d09\U00011d0b-\U00011d36\U00011d3a\U00011d3c\U00011d3d\U00011d3f-\U00011d47"
    "\U00011d60-\U00011d65\U00011d67\U00011d68\U00011d6a-\U00011d8e\U00011d90\U00011d91\U00011d93-\U00011d97"
    "\U00011ee0-\U00011ef6\U00011f00-\U00011f10\U00011f12-\U00011f3a\U00011f3e-\U00011f42\U00011f5a"
    "\U00016100-\U0001612f\U00016d40-\U00016d6c\U0001e900-\U0001e94b\U0001ee00-\U0001ee03\U0001ee05-\U0001ee1f"
    "\U0001ee21\U0001ee22\U0001ee24\U0001ee27\U0001ee29-\U0001ee32\U0001ee34-\U0001ee37\U0001ee39\U0001ee3b"
    "\U0001ee42\U0001ee47\U0001ee49\U0001ee4b\U0001ee4d-\U0001ee4f\U0001ee51\U0001ee52\U0001ee54\U0001ee57"
    "\U0001ee59\U0001ee5b\U0001ee5d\U0001ee5f\U0001ee61\U0001ee62\U0001ee64\U0001ee67-\U0001ee6a"
    "\U0001ee6c-\U0001ee72\U0001ee74-\U0001ee77\U0001ee79-\U0001ee7c\U0001ee7e\U0001ee80-\U0001ee89"
    "\U0001ee8b-\U0001ee9b\U0001eea1-\U0001eea3\U0001eea5-\U0001eea9\U0001eeab-\U0001eebb"
)

# Those of the basic plane.
BASIC_JOINING = (
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06fc\u06ff"
    "\u0710-\u074a\u074d-\u077f\u07ca-\u07f5\u07fa\u07fd\u0840-\u085b\u0860-\u086a\u0870-\u0887\u0889-\u088f"
    "\u0897-\u08e1\u08e3-\u094f\u0951\u0952\u0955-\u0963\u0972-\u0983\u0985-\u098c\u098f\u0990\u0993-\u09a8"
    "\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bc-\u09c4\u09c7\u09c8\u09cb-\u09ce\u09d7\u09dc\u09dd\u09df-\u09e3"
    "\u09f0\u09f1\u09fc\u09fe\u0a01-\u0a03\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28\u0a2a-\u0a30\u0a32\u0a33"
    "\u0a35\u0a36\u0a38\u0a39\u0a3c\u0a3e-\u0a42\u0a47\u0a48\u0a4b-\u0a4d\u0a51\u0a59-\u0a5c\u0a5e\u0a70-\u0a73"
    "\u0a75\u0a81-\u0a83\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9"
    "\u0abc-\u0ac5\u0ac7-\u0ac9\u0acb-\u0acd\u0ae0-\u0ae3\u0af9-\u0aff\u0b01-\u0b03\u0b05-\u0b0c\u0b0f\u0b10"
    "\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b3c-\u0b44\u0b47\u0b48\u0b4b-\u0b4d\u0b55-\u0b57"
    "\u0b5c\u0b5d\u0b5f-\u0b63\u0b71\u0b82\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95\u0b99\u0b9a\u0b9c"
    "\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bbe-\u0bc2\u0bc6-\u0bc8\u0bca-\u0bcd\u0bd7"
    "\u0c00-\u0c0c\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3c-\u0c44\u0c46-\u0c48\u0c4a-\u0c4d\u0c55\u0c56"
    "\u0c58-\u0c5a\u0c5d\u0c60-\u0c63\u0c80-\u0c83\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3"
    "\u0cb5-\u0cb9\u0cbc-\u0cc4\u0cc6-\u0cc8\u0cca-\u0ccd\u0cd5\u0cd6\u0cdd\u0cde\u0ce0-\u0ce3\u0cf1-\u0cf3"
    "\u0d00-\u0d0c\u0d0e-\u0d10\u0d12-\u0d44\u0d46-\u0d48\u0d4a-\u0d4e\u0d54-\u0d57\u0d5f-\u0d63\u0d7a-\u0d7f"
    "\u0d81-\u0d83\u0d85-\u0d96\u0d9a-\u0db1\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6\u0dca\u0dcf-\u0dd4\u0dd6"
    "\u0dd8-\u0ddf\u0df2\u0df3\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e\u0e81\u0e82\u0e84"
    "\u0e86-\u0e8a\u0e8c-\u0ea3\u0ea5\u0ea7-\u0eae\u0eb0-\u0ebd\u0ec0-\u0ec4\u0ec8-\u0ecb\u0ecd\u0ece"
    "\u0edc-\u0edf\u0f35\u0f37\u0f39\u0f40-\u0f47\u0f49-\u0f6c\u0f71-\u0f84\u0f88-\u0f97\u0f99-\u0fbc\u0fc6"
    "\u1000-\u103f\u1050-\u108f\u109a-\u109d\u1700-\u1715\u171f-\u1734\u1740-\u1753\u1760-\u176c\u176e-\u1770"
    "\u1772\u1773\u1780-\u17b3\u17b6-\u17d3\u17dc\u17dd\u1820-\u1878\u1880-\u18aa\u1900-\u191e\u1920-\u192b"
    "\u1930-\u193b\u1950-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u1a00-\u1a1b\u1a20-\u1a5e\u1a60-\u1a7c"
    "\u1a7f\u1b00-\u1b4c\u1b80-\u1baf\u1bba-\u1bf3\u1c00-\u1c37\u1c4d-\u1c4f\u1cd0-\u1cd2\u1cd4-\u1ce1"
    "\u1cf2-\u1cfa\u1dfa\u1dfb\u20f0\ua800-\ua827\ua82c\ua840-\ua873\ua880-\ua8c5\ua8e0-\ua8f3\ua8fe\ua8ff"
    "\ua90a-\ua92d\ua930-\ua953\ua980-\ua9c0\ua9e0-\ua9e5\ua9e7-\ua9ef\ua9fa-\ua9fe\uaa00-\uaa36\uaa40-\uaa4d"
    "\uaa60-\uaa6f\uaa71-\uaa76\uaa7a-\uaac2\uaae0-\uaaef\uaaf5\uaaf6\uabc0-\uabea\uabec\uabed\ufb50-\ufbb1"
    "\ufbd3-\ufd3d\ufd50-\ufd8f\ufd92-\ufdc7\ufdf0-\ufdfb\ufe70-\ufe74\ufe76-\ufefc"
)

# Mongolian letters.
MONGOLIAN = (
    "\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa"
)

# Han, which ideographic selectors may follow.
HAN = (
    "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufa6d\ufa70-\ufad9\U00016fe2\U00016fe3\U00016ff0-\U00016ff6\U00020000-\U0002a6df"
    "\U0002a700-\U0002b81d\U0002b820-\U0002cead\U0002ceb0-\U0002ebe0\U0002ebf0-\U0002ee5d\U0002f800-\U0002fa1d"
    "\U00030000-\U0003134a\U00031350-\U00033479"
)

# Selector to the bases it may follow.
VARIATIONS: dict[str, str] = {
    "\u180b": "\u1820-\u1878\u1880-\u18aa",
    "\u180c": "\u1820-\u1878\u1880-\u18aa",
    "\u180d": "\u1820-\u1878\u1880-\u18aa",
    "\u180f": "\u1820-\u1878\u1880-\u18aa",
    "\ufe00": (
        "0\u1000\u1002\u1004\u1010\u1011\u1015\u1019\u101a\u101c\u101d\u1022\u1031\u1075\u1078\u107a\u1080"
        "\u2018\u2019\u201c\u201d\u210b\u2110\u2112\u211b\u212c\u2130\u2131\u2133\u2205\u2229\u222a\u2268\u2269"
        "\u2272\u2273\u228a\u228b\u2293-\u2295\u2297\u229c\u22da\u22db\u29b7\u2a3c\u2a3d\u2a9d\u2a9e"
        "\u2aac\u2aad\u2acb\u2acc\u3001\u3002\u349e\u34b9\u34bb\u34df\u3515\u36ee\u36fc\u3781\u382f\u3862\u387c"
        "\u38c7\u38e3\u391c\u393a\u3a2e\u3a6c\u3ae4\u3b08\u3b19\u3b49\u3b9d\u3c18\u3c4e\u3d33\u3d96\u3eac\u3eb8"
        "\u3f1b\u3ffc\u4008\u4018\u4039\u4046\u4096\u40e3\u412f\u4202\u4227\u42a0\u4301\u4334\u4359\u43d5\u43d9"
        "\u440b\u446b\u452b\u455d\u4561\u456b\u45d7\u45f9\u4635\u46be\u46c7\u4995\u49e6\u4a6e\u4a76\u4ab2\u4b33"
        "\u4bce\u4cce\u4ced\u4cf8\u4d56\u4e0d\u4e26\u4e32\u4e38\u4e39\u4e3d\u4e41\u4e82\u4e86\u4eae\u4ec0\u4ecc"
        "\u4ee4\u4f60\u4f80\u4f86\u4f8b\u4fae\u4fbb\u4fbf\u5002\u502b\u507a\u5099\u50cf\u50da\u50e7\u5140\u5145"
        "\u514d\u5154\u5164\u5167-\u5169\u516d\u5177\u5180\u518d\u5192\u5195\u5197\u51a4\u51ac\u51b5\u51b7"
        "\u51c9\u51cc\u51dc\u51de\u51f5\u5203\u5207\u5217\u5229\u523a\u523b\u5246\u5272\u5277\u5289\u529b\u52a3"
        "\u52b3\u52c7\u52c9\u52d2\u52de\u52e4\u52f5\u52fa\u5305\u5306\u5317\u533f\u5349\u5351\u535a\u5373\u5375"
        "\u537d\u537f\u53c3\u53ca\u53df\u53e5\u53eb\u53f1\u5406\u540f\u541d\u5438\u5442\u5448\u5468\u549e\u54a2"
        "\u54bd\u54f6\u5510\u5553\u5555\u5563\u5584\u5587\u5599\u559d\u55ab\u55b3\u55c0\u55c2\u55e2\u5606\u5651"
        "\u5668\u5674\u56f9\u5716\u5717\u578b\u57ce\u57f4\u580d\u5831\u5832\u5840\u585a\u585e\u58a8\u58ac\u58b3"
        "\u58d8\u58df\u58ee\u58f2\u58f7\u5906\u591a\u5922\u5944\u5948\u5951\u5954\u5962\u5973\u59d8\u59ec\u5a1b"
        "\u5a27\u5a62\u5a66\u5ab5\u5b08\u5b28\u5b3e\u5b85\u5bc3\u5bd8\u5be7\u5bee\u5bf3\u5bff\u5c06\u5c22\u5c3f"
        "\u5c60\u5c62\u5c64\u5c65\u5c6e\u5c8d\u5cc0\u5d19\u5d43\u5d50\u5d6b\u5d6e\u5d7c\u5db2\u5dba\u5de1\u5de2"
        "\u5dfd\u5e28\u5e3d\u5e69\u5e74\u5ea6\u5eb0\u5eb3\u5eb6\u5ec9\u5eca\u5ed2\u5ed3\u5ed9\u5eec\u5efe\u5f04"
        "\u5f22\u5f53\u5f62\u5f69\u5f6b\u5f8b\u5f9a\u5fa9\u5fad\u5fcd\u5fd7\u5ff5\u5ff9\u6012\u601c\u6075\u6081"
        "\u6094\u60c7\u60d8\u60e1\u6108\u6144\u6148\u614c\u614e\u6160\u6168\u617a\u618e\u6190\u61a4\u61af\u61b2"
        "\u61de\u61f2\u61f6\u6200\u6210\u621b\u622e\u6234\u625d\u62b1\u62c9\u62cf\u62d3\u62d4\u62fc\u62fe\u633d"
        "\u6350\u6368\u637b\u6383\u63a0\u63a9\u63c4\u63c5\u63e4\u641c\u6422\u6452\u6469\u6477\u647e\u649a\u649d"
        "\u64c4\u654f\u6556\u656c\u6578\u6599\u65c5\u65e2\u65e3\u6613\u6649\u6674\u6688\u6691\u669c\u66b4\u66c6"
        "\u66f4\u66f8\u6700\u6717\u671b\u6721\u674e\u6753\u6756\u675e\u677b\u6785\u6797\u67f3\u67fa\u6817\u681f"
        "\u6852\u6881\u6885\u688e\u68a8\u6914\u6942\u69a3\u69ea\u6a02\u6a13\u6aa8\u6ad3\u6adb\u6b04\u6b21\u6b54"
        "\u6b72\u6b77\u6b79\u6b9f\u6bae\u6bba\u6bbb\u6c4e\u6c67\u6c88\u6cbf\u6ccc\u6ccd\u6ce5\u6d16\u6d1b\u6d1e"
        "\u6d34\u6d3e\u6d41\u6d69\u6d6a\u6d77\u6d78\u6d85\u6dcb\u6dda\u6dea\u6df9\u6e1a\u6e2f\u6e6e\u6e9c\u6eba"
        "\u6ec7\u6ecb\u6ed1\u6edb\u6f0f\u6f22\u6f23\u6f6e\u6fc6\u6feb\u6ffe\u701b\u701e\u7039\u704a\u7070\u7077"
        "\u707d\u7099\u70ad\u70c8\u70d9\u7145\u7149\u716e\u719c\u71ce\u71d0\u7210\u721b\u7228\u722b\u7235\u7250"
        "\u7262\u7280\u7295\u72af\u72c0\u72fc\u732a\u7375\u737a\u7387\u738b\u73a5\u73b2\u73de\u7406\u7409\u7422"
        "\u7447\u745c\u7469\u7471\u7485\u7489\u7498\u74ca\u7506\u7524\u753b\u753e\u7559\u7565\u7570\u75e2\u7610"
        "\u761d\u761f\u7642\u7669\u76ca\u76db\u76e7\u76f4\u7701\u771e\u771f\u7740\u774a\u778b\u77a7\u784e\u786b"
        "\u788c\u7891\u78ca\u78cc\u78fb\u792a\u793c\u793e\u7948\u7949\u7950\u7956\u795d\u795e\u7965\u797f"
        "\u798d-\u798f\u79ae\u79ca\u79eb\u7a1c\u7a40\u7a4a\u7a4f\u7a81\u7ab1\u7acb\u7aee\u7b20\u7bc0\u7bc6"
        "\u7bc9\u7c3e\u7c60\u7c7b\u7c92\u7cbe\u7cd2\u7cd6\u7ce3\u7ce7\u7ce8\u7d00\u7d10\u7d22\u7d2f\u7d5b\u7d63"
        "\u7da0\u7dbe\u7dc7\u7df4\u7e02\u7e09\u7e37\u7e41\u7e45\u7f3e\u7f72\u7f79\u7f7a\u7f85\u7f95\u7f9a\u7fbd"
        "\u7ffa\u8001\u8005\u8046\u8060\u806f\u8070\u807e\u808b\u80ad\u80b2\u8103\u813e\u81d8\u81e8\u81ed\u8201"
        "\u8204\u8218\u826f\u8279\u828b\u8291\u829d\u82b1\u82b3\u82bd\u82e5\u82e6\u831d\u8323\u8336\u8352\u8353"
        "\u8363\u83ad\u83bd\u83c9\u83ca\u83cc\u83dc\u83e7\u83ef\u83f1\u843d\u8449\u8457\u84ee\u84f1\u84f3\u84fc"
        "\u8516\u8564\u85cd\u85fa\u8606\u8612\u862d\u863f\u8650\u865c\u8667\u8669\u8688\u86a9\u86e2\u870e\u8728"
        "\u876b\u8779\u8786\u87ba\u87e1\u8801\u881f\u884c\u8860\u8863\u88c2\u88cf\u88d7\u88de\u88e1\u88f8\u88fa"
        "\u8910\u8941\u8964\u8986\u898b\u8996\u8aa0\u8aaa\u8abf\u8acb\u8ad2\u8ad6\u8aed\u8af8\u8afe\u8b01\u8b39"
        "\u8b58\u8b80\u8b8a\u8c48\u8c55\u8cab\u8cc1\u8cc2\u8cc8\u8cd3\u8d08\u8d1b\u8d77\u8dbc\u8dcb\u8def\u8df0"
        "\u8eca\u8ed4\u8f26\u8f2a\u8f38\u8f3b\u8f62\u8f9e\u8fb0\u8fb6\u9023\u9038\u9072\u907c\u908f\u9094\u90ce"
        "\u90de\u90f1\u90fd\u9111\u911b\u916a\u9199\u91b4\u91cc\u91cf\u91d1\u9234\u9238\u9276\u927c\u92d7\u92d8"
        "\u9304\u934a\u93f9\u9415\u958b\u95ad\u95b7\u962e\u964b\u964d\u9675\u9678\u967c\u9686\u96a3\u96b7\u96b8"
        "\u96c3\u96e2\u96e3\u96f6\u96f7\u9723\u9732\u9748\u9756\u97db\u97e0\u97ff\u980b\u9818\u9829\u983b\u985e"
        "\u98e2\u98ef\u98fc\u9928\u9929\u99a7\u99c2\u99f1\u99fe\u9a6a\u9b12\u9b6f\u9c40\u9c57\u9cfd\u9d67\u9db4"
        "\u9dfa\u9e1e\u9e7f\u9e97\u9e9f\u9ebb\u9ece\u9ef9\u9efe\u9f05\u9f0f\u9f16\u9f3b\u9f43\u9f8d\u9f8e\u9f9c"
        "\ua856\ua85c\ua85e-\ua860\ua868\uaa60-\uaa66\uaa6b\uaa6c\uaa6f\uaa7a\uff01\uff0c\uff0e\uff10"
        "\uff1a\uff1b\uff1f\U00010ac5\U00010ac6\U00010ad6\U00010ad7\U00010ae1\U00013091\U0001310f\U0001311c"
        "\U00013121\U00013127\U00013139\U000131a0\U000131b1\U000131b8\U000131b9\U000131cb\U000131e0"
        "\U000131f9\U000131fa\U0001327b\U0001327f\U00013285\U0001328c\U000132aa\U000132cb\U000132dc\U000132e7"
        "\U00013307\U0001331b\U00013322\U0001333c\U00013377\U00013378\U00013399\U0001339a\U000133d3"
        "\U000133e4\U000133e5\U000133e7\U000133ee\U000133f2\U000133f5\U000133f6\U00013416\U00013419\U0001341a"
        "\U00013423\U00013443-\U00013446\U00013be8-\U00013bea\U00013f72\U0001d49c\U0001d49e\U0001d49f\U0001d4a2"
        "\U0001d4a5\U0001d4a6\U0001d4a9-\U0001d4ac\U0001d4ae-\U0001d4b5\U00020122\U0002051c\U00020525\U0002054b"
        "\U0002063a\U00020804\U000208de\U00020a2c\U00020b63\U000214e4\U000216a8\U000216ea\U000219c8\U00021b18"
        "\U00021d0b\U00021de4\U00021de6\U00022183\U0002219f\U00022331\U000226d4\U00022844\U0002284a\U00022b0c"
        "\U00022bf1\U0002300a\U000232b8\U0002335f\U00023393\U0002339c\U000233c3\U000233d5\U0002346d\U000236a3"
        "\U000238a7\U00023a8d\U00023afa\U00023cbc\U00023d1e\U00023ed1\U00023f5e\U00023f8e\U00024263\U000242ee"
        "\U000243ab\U00024608\U00024735\U00024814\U00024c36\U00024c92\U00024fa1\U00024fb8\U00025044"
        "\U000250f2\U000250f3\U00025119\U00025133\U00025249\U0002541d\U00025626\U0002569a\U000256c5\U0002597c"
        "\U00025aa7\U00025bab\U00025c80\U00025cd0\U00025f86\U000261da\U00026228\U00026247\U000262d9\U0002633e"
        "\U000264da\U00026523\U000265a8\U000267a7\U000267b5\U00026b3c\U00026c36\U00026cd5\U00026d6b\U00026f2c"
        "\U00026fb1\U000270d2\U000273ca\U00027667\U000278ae\U00027966\U00027ca8\U00027ed3\U00027f2f\U000285d2"
        "\U000285ed\U0002872e\U00028bfa\U00028d77\U00029145\U000291df\U0002921a\U0002940a\U00029496\U000295b6"
        "\U00029b30\U0002a0ce\U0002a105\U0002a20e\U0002a291\U0002a392\U0002a600"
    ),
    "\ufe01": (
        "\u2018\u2019\u201c\u201d\u210b\u2110\u2112\u211b\u212c\u2130\u2131\u2133\u3001\u3002\u3b9d\u3eb8\u4039"
        "\u4fae\u50e7\u514d\u51b5\u5207\u52c7\u52c9\u52e4\u52fa\u5317\u5351\u537f\u5584\u5599\u559d\u5606\u585a"
        "\u5b3e\u5be7\u5c6e\u5eca\u5f22\u6094\u614c\u614e\u618e\u61f2\u61f6\u654f\u6674\u6691\u6717\u671b\u6885"
        "\u6a02\u6bba\u6d41\u6d77\u6ecb\u6f22\u701e\u716e\u7235\u732a\u7387\u7471\u7570\u76ca\u76f4\u771f\u774a"
        "\u788c\u78cc\u7956\u798f\u7a40\u7bc0\u7df4\u8005\u8201\u8279\u82e5\u8457\u865c\u8779\u8996\u8aaa\u8aed"
        "\u8af8\u8afe\u8b01\u8b39\u8b8a\u8d08\u8f38\u9038\u96e3\u9756\u97ff\u980b\u983b\u9b12\u9f9c\uff01\uff0c"
        "\uff0e\uff1a\uff1b\uff1f\U00013093\U00013132\U00013139\U00013187\U000131b1\U000131ee"
        "\U000131f8-\U000131fa\U00013257\U0001327f\U0001328b\U000132a4\U00013308\U00013312-\U00013314\U0001331b"
        "\U00013321\U00013322\U00013331\U000133e8\U00013419\U00013f1f\U00014274\U0001d49c\U0001d49e\U0001d49f"
        "\U0001d4a2\U0001d4a5\U0001d4a6\U0001d4a9-\U0001d4ac\U0001d4ae-\U0001d4b5\U00022331\U00025aa7"
    ),
    "\ufe02": (
        "\u2018\u2019\u201c\u201d\u537f\u5be7\u618e\u61f2\u6717\u6a02\u6bba\u6d41\u7df4\u8005\u980b\u9f9c"
        "\U00013117\U00013139\U00013183\U000131a0\U000131ba\U000131ee\U00013216\U0001327b\U000132a4\U000132e7"
        "\U000132e9\U000132f8\U000132fd\U00013302\U00013303\U00013310-\U00013314\U0001331c\U00013321\U00013331"
        "\U0001334a\U00013361\U00013373\U0001337d\U00013385\U000133af\U000133b0\U000133bf\U000133db\U000133dd"
        "\U00013419\U0001342c\U0001342e\U00014274"
    ),
    "\ufe03": (
        "\U00013012\U000130b8\U000130ba\U0001310f\U0001312f\U00013139\U00013184\U0001319c\U0001319d\U0001319f"
        "\U000131b1\U000131db\U00013205\U00013296\U00013338\U00013419"
    ),
    "\ufe04": "\U00013139\U0001340d",
    "\ufe05": "\U00013139\U00014274",
    "\ufe06": (
        "\U0001312f\U00013139\U00013184\U000131db\U000131ee\U00013205\U000132a4\U000132e9\U0001332b\U00013338"
        "\U00013370\U00013371\U00013419\U00014274"
    ),
    "\ufe0e": (
        "#*0-9\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3"
        "\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614\u2615\u2618"
        "\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f\u2660"
        "\u2663\u2665\u2666\u2668\u267b\u267e\u267f\u2692-\u2697\u2699\u269b\u269c\u26a0\u26a1\u26a7"
        "\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8\u26ce\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea"
        "\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728"
        "\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797\u27a1\u27b0\u27bf"
        "\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004"
        "\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f202\U0001f21a\U0001f22f\U0001f237\U0001f30d-\U0001f30f"
        "\U0001f315\U0001f31c\U0001f321\U0001f324-\U0001f32c\U0001f336\U0001f378\U0001f37d\U0001f393"
        "\U0001f396\U0001f397\U0001f399-\U0001f39b\U0001f39e\U0001f39f\U0001f3a7\U0001f3ac-\U0001f3ae\U0001f3c2"
        "\U0001f3c4\U0001f3c6\U0001f3ca-\U0001f3ce\U0001f3d4-\U0001f3e0\U0001f3ed\U0001f3f3\U0001f3f5\U0001f3f7"
        "\U0001f408\U0001f415\U0001f41f\U0001f426\U0001f43f\U0001f441\U0001f442\U0001f446-\U0001f449"
        "\U0001f44d\U0001f44e\U0001f453\U0001f46a\U0001f47d\U0001f4a3\U0001f4b0\U0001f4b3\U0001f4bb\U0001f4bf"
        "\U0001f4cb\U0001f4da\U0001f4df\U0001f4e4-\U0001f4e6\U0001f4ea-\U0001f4ed\U0001f4f7"
        "\U0001f4f9-\U0001f4fb\U0001f4fd\U0001f508\U0001f50d\U0001f512\U0001f513\U0001f549\U0001f54a"
        "\U0001f550-\U0001f567\U0001f56f\U0001f570\U0001f573-\U0001f579\U0001f587\U0001f58a-\U0001f58d"
        "\U0001f590\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3"
        "\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa\U0001f610\U0001f687"
        "\U0001f68d\U0001f691\U0001f694\U0001f698\U0001f6ad\U0001f6b2\U0001f6b9\U0001f6ba\U0001f6bc\U0001f6cb"
        "\U0001f6cd-\U0001f6cf\U0001f6e0-\U0001f6e5\U0001f6e9\U0001f6f0\U0001f6f3"
    ),
    "\ufe0f": (
        "#*0-9\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2199\u21a9\u21aa\u231a\u231b\u2328\u23cf\u23e9-\u23f3"
        "\u23f8-\u23fa\u24c2\u25aa\u25ab\u25b6\u25c0\u25fb-\u25fe\u2600-\u2604\u260e\u2611\u2614\u2615\u2618"
        "\u261d\u2620\u2622\u2623\u2626\u262a\u262e\u262f\u2638-\u263a\u2640\u2642\u2648-\u2653\u265f\u2660"
        "\u2663\u2665\u2666\u2668\u267b\u267e\u267f\u2692-\u2697\u2699\u269b\u269c\u26a0\u26a1\u26a7"
        "\u26aa\u26ab\u26b0\u26b1\u26bd\u26be\u26c4\u26c5\u26c8\u26ce\u26cf\u26d1\u26d3\u26d4\u26e9\u26ea"
        "\u26f0-\u26f5\u26f7-\u26fa\u26fd\u2702\u2705\u2708-\u270d\u270f\u2712\u2714\u2716\u271d\u2721\u2728"
        "\u2733\u2734\u2744\u2747\u274c\u274e\u2753-\u2755\u2757\u2763\u2764\u2795-\u2797\u27a1\u27b0\u27bf"
        "\u2934\u2935\u2b05-\u2b07\u2b1b\u2b1c\u2b50\u2b55\u3030\u303d\u3297\u3299\U0001f004"
        "\U0001f170\U0001f171\U0001f17e\U0001f17f\U0001f202\U0001f21a\U0001f22f\U0001f237\U0001f30d-\U0001f30f"
        "\U0001f315\U0001f31c\U0001f321\U0001f324-\U0001f32c\U0001f336\U0001f378\U0001f37d\U0001f393"
        "\U0001f396\U0001f397\U0001f399-\U0001f39b\U0001f39e\U0001f39f\U0001f3a7\U0001f3ac-\U0001f3ae\U0001f3c2"
        "\U0001f3c4\U0001f3c6\U0001f3ca-\U0001f3ce\U0001f3d4-\U0001f3e0\U0001f3ed\U0001f3f3\U0001f3f5\U0001f3f7"
        "\U0001f408\U0001f415\U0001f41f\U0001f426\U0001f43f\U0001f441\U0001f442\U0001f446-\U0001f449"
        "\U0001f44d\U0001f44e\U0001f453\U0001f46a\U0001f47d\U0001f4a3\U0001f4b0\U0001f4b3\U0001f4bb\U0001f4bf"
        "\U0001f4cb\U0001f4da\U0001f4df\U0001f4e4-\U0001f4e6\U0001f4ea-\U0001f4ed\U0001f4f7"
        "\U0001f4f9-\U0001f4fb\U0001f4fd\U0001f508\U0001f50d\U0001f512\U0001f513\U0001f549\U0001f54a"
        "\U0001f550-\U0001f567\U0001f56f\U0001f570\U0001f573-\U0001f579\U0001f587\U0001f58a-\U0001f58d"
        "\U0001f590\U0001f5a5\U0001f5a8\U0001f5b1\U0001f5b2\U0001f5bc\U0001f5c2-\U0001f5c4\U0001f5d1-\U0001f5d3"
        "\U0001f5dc-\U0001f5de\U0001f5e1\U0001f5e3\U0001f5e8\U0001f5ef\U0001f5f3\U0001f5fa\U0001f610\U0001f687"
        "\U0001f68d\U0001f691\U0001f694\U0001f698\U0001f6ad\U0001f6b2\U0001f6b9\U0001f6ba\U0001f6bc\U0001f6cb"
        "\U0001f6cd-\U0001f6cf\U0001f6e0-\U0001f6e5\U0001f6e9\U0001f6f0\U0001f6f3"
    ),
}

# Tag tails of the three flags, joined by spaces.
FLAG_TAGS = (
    "\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f \U000e0067\U000e0062\U000e0073\U000e0063"
    "\U000e0074\U000e007f \U000e0067\U000e0062\U000e0077\U000e006c\U000e0073\U000e007f"
)

# RGI emoji ZWJ sequences without U+FE0F, joined by spaces. `*` is a skin tone; `!` in front: tones differ,
# `=` in front: they are free.
EMOJI_SEQUENCES = (
    "!\U0001f468*\u200d\U0001f430\u200d\U0001f468* !\U0001f468*\u200d\U0001f91d\u200d\U0001f468* !\U0001f468*"
    "\u200d\U0001faef\u200d\U0001f468* !\U0001f469*\u200d\U0001f430\u200d\U0001f469* !\U0001f469*\u200d"
    "\U0001f91d\u200d\U0001f468* !\U0001f469*\u200d\U0001f91d\u200d\U0001f469* !\U0001f469*\u200d\U0001faef"
    "\u200d\U0001f469* !\U0001f9d1*\u200d\u2764\u200d\U0001f48b\u200d\U0001f9d1* !\U0001f9d1*\u200d\u2764\u200d"
    "\U0001f9d1* !\U0001f9d1*\u200d\U0001f430\u200d\U0001f9d1* !\U0001f9d1*\u200d\U0001faef\u200d\U0001f9d1* !"
    "\U0001faf1*\u200d\U0001faf2* =\u26d3\u200d\U0001f4a5 =\u26f9*\u200d\u2640 =\u26f9*\u200d\u2642 =\u26f9"
    "\u200d\u2640 =\u26f9\u200d\u2642 =\u2764\u200d\U0001f525 =\u2764\u200d\U0001fa79 =\U0001f344\u200d"
    "\U0001f7eb =\U0001f34b\u200d\U0001f7e9 =\U0001f3c3*\u200d\u2640 =\U0001f3c3*\u200d\u2640\u200d\u27a1 ="
    "\U0001f3c3*\u200d\u2642 =\U0001f3c3*\u200d\u2642\u200d\u27a1 =\U0001f3c3*\u200d\u27a1 =\U0001f3c3\u200d"
    "\u2640 =\U0001f3c3\u200d\u2640\u200d\u27a1 =\U0001f3c3\u200d\u2642 =\U0001f3c3\u200d\u2642\u200d\u27a1 ="
    "\U0001f3c3\u200d\u27a1 =\U0001f3c4*\u200d\u2640 =\U0001f3c4*\u200d\u2642 =\U0001f3c4\u200d\u2640 ="
    "\U0001f3c4\u200d\u2642 =\U0001f3ca*\u200d\u2640 =\U0001f3ca*\u200d\u2642 =\U0001f3ca\u200d\u2640 ="
    "\U0001f3ca\u200d\u2642 =\U0001f3cb*\u200d\u2640 =\U0001f3cb*\u200d\u2642 =\U0001f3cb\u200d\u2640 ="
    "\U0001f3cb\u200d\u2642 =\U0001f3cc*\u200d\u2640 =\U0001f3cc*\u200d\u2642 =\U0001f3cc\u200d\u2640 ="
    "\U0001f3cc\u200d\u2642 =\U0001f3f3\u200d\u26a7 =\U0001f3f3\u200d\U0001f308 =\U0001f3f4\u200d\u2620 ="
    "\U0001f408\u200d\u2b1b =\U0001f415\u200d\U0001f9ba =\U0001f426\u200d\u2b1b =\U0001f426\u200d\U0001f525 ="
    "\U0001f43b\u200d\u2744 =\U0001f441\u200d\U0001f5e8 =\U0001f468*\u200d\u2695 =\U0001f468*\u200d\u2696 ="
    "\U0001f468*\u200d\u2708 =\U0001f468*\u200d\u2764\u200d\U0001f468* =\U0001f468*\u200d\u2764\u200d\U0001f48b"
    "\u200d\U0001f468* =\U0001f468*\u200d\U0001f33e =\U0001f468*\u200d\U0001f373 =\U0001f468*\u200d\U0001f37c ="
    "\U0001f468*\u200d\U0001f393 =\U0001f468*\u200d\U0001f3a4 =\U0001f468*\u200d\U0001f3a8 =\U0001f468*\u200d"
    "\U0001f3eb =\U0001f468*\u200d\U0001f3ed =\U0001f468*\u200d\U0001f4bb =\U0001f468*\u200d\U0001f4bc ="
    "\U0001f468*\u200d\U0001f527 =\U0001f468*\u200d\U0001f52c =\U0001f468*\u200d\U0001f680 =\U0001f468*\u200d"
    "\U0001f692 =\U0001f468*\u200d\U0001f9af =\U0001f468*\u200d\U0001f9af\u200d\u27a1 =\U0001f468*\u200d"
    "\U0001f9b0 =\U0001f468*\u200d\U0001f9b1 =\U0001f468*\u200d\U0001f9b2 =\U0001f468*\u200d\U0001f9b3 ="
    "\U0001f468*\u200d\U0001f9bc =\U0001f468*\u200d\U0001f9bc\u200d\u27a1 =\U0001f468*\u200d\U0001f9bd ="
    "\U0001f468*\u200d\U0001f9bd\u200d\u27a1 =\U0001f468\u200d\u2695 =\U0001f468\u200d\u2696 =\U0001f468\u200d"
    "\u2708 =\U0001f468\u200d\u2764\u200d\U0001f468 =\U0001f468\u200d\u2764\u200d\U0001f48b\u200d\U0001f468 ="
    "\U0001f468\u200d\U0001f33e =\U0001f468\u200d\U0001f373 =\U0001f468\u200d\U0001f37c =\U0001f468\u200d"
    "\U0001f393 =\U0001f468\u200d\U0001f3a4 =\U0001f468\u200d\U0001f3a8 =\U0001f468\u200d\U0001f3eb =\U0001f468"
    "\u200d\U0001f3ed =\U0001f468\u200d\U0001f466 =\U0001f468\u200d\U0001f466\u200d\U0001f466 =\U0001f468\u200d"
    "\U0001f467 =\U0001f468\u200d\U0001f467\u200d\U0001f466 =\U0001f468\u200d\U0001f467\u200d\U0001f467 ="
    "\U0001f468\u200d\U0001f468\u200d\U0001f466 =\U0001f468\u200d\U0001f468\u200d\U0001f466\u200d\U0001f466 ="
    "\U0001f468\u200d\U0001f468\u200d\U0001f467 =\U0001f468\u200d\U0001f468\u200d\U0001f467\u200d\U0001f466 ="
    "\U0001f468\u200d\U0001f468\u200d\U0001f467\u200d\U0001f467 =\U0001f468\u200d\U0001f469\u200d\U0001f466 ="
    "\U0001f468\u200d\U0001f469\u200d\U0001f466\u200d\U0001f466 =\U0001f468\u200d\U0001f469\u200d\U0001f467 ="
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466 =\U0001f468\u200d\U0001f469\u200d\U0001f467"
    "\u200d\U0001f467 =\U0001f468\u200d\U0001f4bb =\U0001f468\u200d\U0001f4bc =\U0001f468\u200d\U0001f527 ="
    "\U0001f468\u200d\U0001f52c =\U0001f468\u200d\U0001f680 =\U0001f468\u200d\U0001f692 =\U0001f468\u200d"
    "\U0001f9af =\U0001f468\u200d\U0001f9af\u200d\u27a1 =\U0001f468\u200d\U0001f9b0 =\U0001f468\u200d\U0001f9b1"
    " =\U0001f468\u200d\U0001f9b2 =\U0001f468\u200d\U0001f9b3 =\U0001f468\u200d\U0001f9bc =\U0001f468\u200d"
    "\U0001f9bc\u200d\u27a1 =\U0001f468\u200d\U0001f9bd =\U0001f468\u200d\U0001f9bd\u200d\u27a1 =\U0001f469*"
    "\u200d\u2695 =\U0001f469*\u200d\u2696 =\U0001f469*\u200d\u2708 =\U0001f469*\u200d\u2764\u200d\U0001f468* ="
    "\U0001f469*\u200d\u2764\u200d\U0001f469* =\U0001f469*\u200d\u2764\u200d\U0001f48b\u200d\U0001f468* ="
    "\U0001f469*\u200d\u2764\u200d\U0001f48b\u200d\U0001f469* =\U0001f469*\u200d\U0001f33e =\U0001f469*\u200d"
    "\U0001f373 =\U0001f469*\u200d\U0001f37c =\U0001f469*\u200d\U0001f393 =\U0001f469*\u200d\U0001f3a4 ="
    "\U0001f469*\u200d\U0001f3a8 =\U0001f469*\u200d\U0001f3eb =\U0001f469*\u200d\U0001f3ed =\U0001f469*\u200d"
    "\U0001f4bb =\U0001f469*\u200d\U0001f4bc =\U0001f469*\u200d\U0001f527 =\U0001f469*\u200d\U0001f52c ="
    "\U0001f469*\u200d\U0001f680 =\U0001f469*\u200d\U0001f692 =\U0001f469*\u200d\U0001f9af =\U0001f469*\u200d"
    "\U0001f9af\u200d\u27a1 =\U0001f469*\u200d\U0001f9b0 =\U0001f469*\u200d\U0001f9b1 =\U0001f469*\u200d"
    "\U0001f9b2 =\U0001f469*\u200d\U0001f9b3 =\U0001f469*\u200d\U0001f9bc =\U0001f469*\u200d\U0001f9bc\u200d"
    "\u27a1 =\U0001f469*\u200d\U0001f9bd =\U0001f469*\u200d\U0001f9bd\u200d\u27a1 =\U0001f469\u200d\u2695 ="
    "\U0001f469\u200d\u2696 =\U0001f469\u200d\u2708 =\U0001f469\u200d\u2764\u200d\U0001f468 =\U0001f469\u200d"
    "\u2764\u200d\U0001f469 =\U0001f469\u200d\u2764\u200d\U0001f48b\u200d\U0001f468 =\U0001f469\u200d\u2764"
    "\u200d\U0001f48b\u200d\U0001f469 =\U0001f469\u200d\U0001f33e =\U0001f469\u200d\U0001f373 =\U0001f469\u200d"
    "\U0001f37c =\U0001f469\u200d\U0001f393 =\U0001f469\u200d\U0001f3a4 =\U0001f469\u200d\U0001f3a8 =\U0001f469"
    "\u200d\U0001f3eb =\U0001f469\u200d\U0001f3ed =\U0001f469\u200d\U0001f466 =\U0001f469\u200d\U0001f466\u200d"
    "\U0001f466 =\U0001f469\u200d\U0001f467 =\U0001f469\u200d\U0001f467\u200d\U0001f466 =\U0001f469\u200d"
    "\U0001f467\u200d\U0001f467 =\U0001f469\u200d\U0001f469\u200d\U0001f466 =\U0001f469\u200d\U0001f469\u200d"
    "\U0001f466\u200d\U0001f466 =\U0001f469\u200d\U0001f469\u200d\U0001f467 =\U0001f469\u200d\U0001f469\u200d"
    "\U0001f467\u200d\U0001f466 =\U0001f469\u200d\U0001f469\u200d\U0001f467\u200d\U0001f467 =\U0001f469\u200d"
    "\U0001f4bb =\U0001f469\u200d\U0001f4bc =\U0001f469\u200d\U0001f527 =\U0001f469\u200d\U0001f52c =\U0001f469"
    "\u200d\U0001f680 =\U0001f469\u200d\U0001f692 =\U0001f469\u200d\U0001f9af =\U0001f469\u200d\U0001f9af\u200d"
    "\u27a1 =\U0001f469\u200d\U0001f9b0 =\U0001f469\u200d\U0001f9b1 =\U0001f469\u200d\U0001f9b2 =\U0001f469"
    "\u200d\U0001f9b3 =\U0001f469\u200d\U0001f9bc =\U0001f469\u200d\U0001f9bc\u200d\u27a1 =\U0001f469\u200d"
    "\U0001f9bd =\U0001f469\u200d\U0001f9bd\u200d\u27a1 =\U0001f46e*\u200d\u2640 =\U0001f46e*\u200d\u2642 ="
    "\U0001f46e\u200d\u2640 =\U0001f46e\u200d\u2642 =\U0001f46f*\u200d\u2640 =\U0001f46f*\u200d\u2642 ="
    "\U0001f46f\u200d\u2640 =\U0001f46f\u200d\u2642 =\U0001f470*\u200d\u2640 =\U0001f470*\u200d\u2642 ="
    "\U0001f470\u200d\u2640 =\U0001f470\u200d\u2642 =\U0001f471*\u200d\u2640 =\U0001f471*\u200d\u2642 ="
    "\U0001f471\u200d\u2640 =\U0001f471\u200d\u2642 =\U0001f473*\u200d\u2640 =\U0001f473*\u200d\u2642 ="
    "\U0001f473\u200d\u2640 =\U0001f473\u200d\u2642 =\U0001f477*\u200d\u2640 =\U0001f477*\u200d\u2642 ="
    "\U0001f477\u200d\u2640 =\U0001f477\u200d\u2642 =\U0001f481*\u200d\u2640 =\U0001f481*\u200d\u2642 ="
    "\U0001f481\u200d\u2640 =\U0001f481\u200d\u2642 =\U0001f482*\u200d\u2640 =\U0001f482*\u200d\u2642 ="
    "\U0001f482\u200d\u2640 =\U0001f482\u200d\u2642 =\U0001f486*\u200d\u2640 =\U0001f486*\u200d\u2642 ="
    "\U0001f486\u200d\u2640 =\U0001f486\u200d\u2642 =\U0001f487*\u200d\u2640 =\U0001f487*\u200d\u2642 ="
    "\U0001f487\u200d\u2640 =\U0001f487\u200d\u2642 =\U0001f575*\u200d\u2640 =\U0001f575*\u200d\u2642 ="
    "\U0001f575\u200d\u2640 =\U0001f575\u200d\u2642 =\U0001f62e\u200d\U0001f4a8 =\U0001f635\u200d\U0001f4ab ="
    "\U0001f636\u200d\U0001f32b =\U0001f642\u200d\u2194 =\U0001f642\u200d\u2195 =\U0001f645*\u200d\u2640 ="
    "\U0001f645*\u200d\u2642 =\U0001f645\u200d\u2640 =\U0001f645\u200d\u2642 =\U0001f646*\u200d\u2640 ="
    "\U0001f646*\u200d\u2642 =\U0001f646\u200d\u2640 =\U0001f646\u200d\u2642 =\U0001f647*\u200d\u2640 ="
    "\U0001f647*\u200d\u2642 =\U0001f647\u200d\u2640 =\U0001f647\u200d\u2642 =\U0001f64b*\u200d\u2640 ="
    "\U0001f64b*\u200d\u2642 =\U0001f64b\u200d\u2640 =\U0001f64b\u200d\u2642 =\U0001f64d*\u200d\u2640 ="
    "\U0001f64d*\u200d\u2642 =\U0001f64d\u200d\u2640 =\U0001f64d\u200d\u2642 =\U0001f64e*\u200d\u2640 ="
    "\U0001f64e*\u200d\u2642 =\U0001f64e\u200d\u2640 =\U0001f64e\u200d\u2642 =\U0001f6a3*\u200d\u2640 ="
    "\U0001f6a3*\u200d\u2642 =\U0001f6a3\u200d\u2640 =\U0001f6a3\u200d\u2642 =\U0001f6b4*\u200d\u2640 ="
    "\U0001f6b4*\u200d\u2642 =\U0001f6b4\u200d\u2640 =\U0001f6b4\u200d\u2642 =\U0001f6b5*\u200d\u2640 ="
    "\U0001f6b5*\u200d\u2642 =\U0001f6b5\u200d\u2640 =\U0001f6b5\u200d\u2642 =\U0001f6b6*\u200d\u2640 ="
    "\U0001f6b6*\u200d\u2640\u200d\u27a1 =\U0001f6b6*\u200d\u2642 =\U0001f6b6*\u200d\u2642\u200d\u27a1 ="
    "\U0001f6b6*\u200d\u27a1 =\U0001f6b6\u200d\u2640 =\U0001f6b6\u200d\u2640\u200d\u27a1 =\U0001f6b6\u200d"
    "\u2642 =\U0001f6b6\u200d\u2642\u200d\u27a1 =\U0001f6b6\u200d\u27a1 =\U0001f926*\u200d\u2640 =\U0001f926*"
    "\u200d\u2642 =\U0001f926\u200d\u2640 =\U0001f926\u200d\u2642 =\U0001f935*\u200d\u2640 =\U0001f935*\u200d"
    "\u2642 =\U0001f935\u200d\u2640 =\U0001f935\u200d\u2642 =\U0001f937*\u200d\u2640 =\U0001f937*\u200d\u2642 ="
    "\U0001f937\u200d\u2640 =\U0001f937\u200d\u2642 =\U0001f938*\u200d\u2640 =\U0001f938*\u200d\u2642 ="
    "\U0001f938\u200d\u2640 =\U0001f938\u200d\u2642 =\U0001f939*\u200d\u2640 =\U0001f939*\u200d\u2642 ="
    "\U0001f939\u200d\u2640 =\U0001f939\u200d\u2642 =\U0001f93c*\u200d\u2640 =\U0001f93c*\u200d\u2642 ="
    "\U0001f93c\u200d\u2640 =\U0001f93c\u200d\u2642 =\U0001f93d*\u200d\u2640 =\U0001f93d*\u200d\u2642 ="
    "\U0001f93d\u200d\u2640 =\U0001f93d\u200d\u2642 =\U0001f93e*\u200d\u2640 =\U0001f93e*\u200d\u2642 ="
    "\U0001f93e\u200d\u2640 =\U0001f93e\u200d\u2642 =\U0001f9b8*\u200d\u2640 =\U0001f9b8*\u200d\u2642 ="
    "\U0001f9b8\u200d\u2640 =\U0001f9b8\u200d\u2642 =\U0001f9b9*\u200d\u2640 =\U0001f9b9*\u200d\u2642 ="
    "\U0001f9b9\u200d\u2640 =\U0001f9b9\u200d\u2642 =\U0001f9cd*\u200d\u2640 =\U0001f9cd*\u200d\u2642 ="
    "\U0001f9cd\u200d\u2640 =\U0001f9cd\u200d\u2642 =\U0001f9ce*\u200d\u2640 =\U0001f9ce*\u200d\u2640\u200d"
    "\u27a1 =\U0001f9ce*\u200d\u2642 =\U0001f9ce*\u200d\u2642\u200d\u27a1 =\U0001f9ce*\u200d\u27a1 =\U0001f9ce"
    "\u200d\u2640 =\U0001f9ce\u200d\u2640\u200d\u27a1 =\U0001f9ce\u200d\u2642 =\U0001f9ce\u200d\u2642\u200d"
    "\u27a1 =\U0001f9ce\u200d\u27a1 =\U0001f9cf*\u200d\u2640 =\U0001f9cf*\u200d\u2642 =\U0001f9cf\u200d\u2640 ="
    "\U0001f9cf\u200d\u2642 =\U0001f9d1*\u200d\u2695 =\U0001f9d1*\u200d\u2696 =\U0001f9d1*\u200d\u2708 ="
    "\U0001f9d1*\u200d\U0001f33e =\U0001f9d1*\u200d\U0001f373 =\U0001f9d1*\u200d\U0001f37c =\U0001f9d1*\u200d"
    "\U0001f384 =\U0001f9d1*\u200d\U0001f393 =\U0001f9d1*\u200d\U0001f3a4 =\U0001f9d1*\u200d\U0001f3a8 ="
    "\U0001f9d1*\u200d\U0001f3eb =\U0001f9d1*\u200d\U0001f3ed =\U0001f9d1*\u200d\U0001f4bb =\U0001f9d1*\u200d"
    "\U0001f4bc =\U0001f9d1*\u200d\U0001f527 =\U0001f9d1*\u200d\U0001f52c =\U0001f9d1*\u200d\U0001f680 ="
    "\U0001f9d1*\u200d\U0001f692 =\U0001f9d1*\u200d\U0001f91d\u200d\U0001f9d1* =\U0001f9d1*\u200d\U0001f9af ="
    "\U0001f9d1*\u200d\U0001f9af\u200d\u27a1 =\U0001f9d1*\u200d\U0001f9b0 =\U0001f9d1*\u200d\U0001f9b1 ="
    "\U0001f9d1*\u200d\U0001f9b2 =\U0001f9d1*\u200d\U0001f9b3 =\U0001f9d1*\u200d\U0001f9bc =\U0001f9d1*\u200d"
    "\U0001f9bc\u200d\u27a1 =\U0001f9d1*\u200d\U0001f9bd =\U0001f9d1*\u200d\U0001f9bd\u200d\u27a1 =\U0001f9d1*"
    "\u200d\U0001fa70 =\U0001f9d1\u200d\u2695 =\U0001f9d1\u200d\u2696 =\U0001f9d1\u200d\u2708 =\U0001f9d1\u200d"
    "\U0001f33e =\U0001f9d1\u200d\U0001f373 =\U0001f9d1\u200d\U0001f37c =\U0001f9d1\u200d\U0001f384 =\U0001f9d1"
    "\u200d\U0001f393 =\U0001f9d1\u200d\U0001f3a4 =\U0001f9d1\u200d\U0001f3a8 =\U0001f9d1\u200d\U0001f3eb ="
    "\U0001f9d1\u200d\U0001f3ed =\U0001f9d1\u200d\U0001f4bb =\U0001f9d1\u200d\U0001f4bc =\U0001f9d1\u200d"
    "\U0001f527 =\U0001f9d1\u200d\U0001f52c =\U0001f9d1\u200d\U0001f680 =\U0001f9d1\u200d\U0001f692 =\U0001f9d1"
    "\u200d\U0001f91d\u200d\U0001f9d1 =\U0001f9d1\u200d\U0001f9af =\U0001f9d1\u200d\U0001f9af\u200d\u27a1 ="
    "\U0001f9d1\u200d\U0001f9b0 =\U0001f9d1\u200d\U0001f9b1 =\U0001f9d1\u200d\U0001f9b2 =\U0001f9d1\u200d"
    "\U0001f9b3 =\U0001f9d1\u200d\U0001f9bc =\U0001f9d1\u200d\U0001f9bc\u200d\u27a1 =\U0001f9d1\u200d\U0001f9bd"
    " =\U0001f9d1\u200d\U0001f9bd\u200d\u27a1 =\U0001f9d1\u200d\U0001f9d1\u200d\U0001f9d2 =\U0001f9d1\u200d"
    "\U0001f9d1\u200d\U0001f9d2\u200d\U0001f9d2 =\U0001f9d1\u200d\U0001f9d2 =\U0001f9d1\u200d\U0001f9d2\u200d"
    "\U0001f9d2 =\U0001f9d1\u200d\U0001fa70 =\U0001f9d4*\u200d\u2640 =\U0001f9d4*\u200d\u2642 =\U0001f9d4\u200d"
    "\u2640 =\U0001f9d4\u200d\u2642 =\U0001f9d6*\u200d\u2640 =\U0001f9d6*\u200d\u2642 =\U0001f9d6\u200d\u2640 ="
    "\U0001f9d6\u200d\u2642 =\U0001f9d7*\u200d\u2640 =\U0001f9d7*\u200d\u2642 =\U0001f9d7\u200d\u2640 ="
    "\U0001f9d7\u200d\u2642 =\U0001f9d8*\u200d\u2640 =\U0001f9d8*\u200d\u2642 =\U0001f9d8\u200d\u2640 ="
    "\U0001f9d8\u200d\u2642 =\U0001f9d9*\u200d\u2640 =\U0001f9d9*\u200d\u2642 =\U0001f9d9\u200d\u2640 ="
    "\U0001f9d9\u200d\u2642 =\U0001f9da*\u200d\u2640 =\U0001f9da*\u200d\u2642 =\U0001f9da\u200d\u2640 ="
    "\U0001f9da\u200d\u2642 =\U0001f9db*\u200d\u2640 =\U0001f9db*\u200d\u2642 =\U0001f9db\u200d\u2640 ="
    "\U0001f9db\u200d\u2642 =\U0001f9dc*\u200d\u2640 =\U0001f9dc*\u200d\u2642 =\U0001f9dc\u200d\u2640 ="
    "\U0001f9dc\u200d\u2642 =\U0001f9dd*\u200d\u2640 =\U0001f9dd*\u200d\u2642 =\U0001f9dd\u200d\u2640 ="
    "\U0001f9dd\u200d\u2642 =\U0001f9de\u200d\u2640 =\U0001f9de\u200d\u2642 =\U0001f9df\u200d\u2640 =\U0001f9df"
    "\u200d\u2642"
)

# What is or imitates a less-than sign.
ANGLES_OPEN = (
    "<\u02c2\u1438\u16b2\u2039\u226e\u2329\u276e\u27e8\u3008\ufe3f\ufe64\uff1c"
)

# What is or imitates a greater-than sign.
ANGLES_CLOSE = (
    ">\u02c3\u1433\u203a\u226f\u232a\u276f\u27e9\u3009\ufe40\ufe65\uff1e"
)

# What is, imitates or becomes an opening square bracket.
SQUARE_OPEN = (
    "\\[\u2045\u2308\u230a\u2772\u27e6\u27ec\u298b\u298d\u298f\u2997\u2e22\u2e24\u2e55\u2e57\u3010\u3014\u3016"
    "\u3018\u301a\ufe17\ufe39\ufe3b\ufe47\ufe5d\uff3b\U0001f12a\U0001f240-\U0001f248"
)

# What is, imitates or becomes a closing square bracket.
SQUARE_CLOSE = (
    "\\]\u2046\u2309\u230b\u2773\u27e7\u27ed\u298c\u298e\u2990\u2998\u2e23\u2e25\u2e56\u2e58\u3011\u3015\u3017"
    "\u3019\u301b\ufe18\ufe3a\ufe3c\ufe48\ufe5e\uff3d"
)

# Default_Ignorable_Code_Point.
IGNORABLES = (
    "\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)

# Tab and every space other than U+0020.
SPACES = (
    "\x09\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"
)

# Not a space, yet nothing to see: replaced in a label.
BLANKS = (
    "\u2800\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
)

# Line breaks other than LF.
OTHER_BREAKS = (
    "\x0b-\x0d\x1c-\x1e\x85\u2028\u2029"
)

# What no rule of a block speaks of.
PLAIN = (
    "\x09\x0a -%'-;=?-Z\\\\-~\xa0-\xac\xae-\u02c1\u02c4-\u02ff\u0370-\u0482\u048a-\u0590\u05be\u05c0\u05c3"
    "\u05c6\u05c8-\u060f\u061b-\u064a\u0660-\u066f\u0671-\u06d5\u06dd\u06de\u06e5\u06e6\u06e9\u06ee-\u0710"
    "\u0712-\u072f\u074b-\u07a5\u07b1-\u07ea\u07f4-\u07fc\u07fe-\u0815\u081a\u0824\u0828\u082e-\u0858"
    "\u085c-\u0896\u08a0-\u08c9\u08e2\u0904-\u0939\u093d\u0950\u0958-\u0961\u0964-\u0980\u0984-\u09bb\u09bd"
    "\u09c5\u09c6\u09c9\u09ca\u09ce-\u09d6\u09d8-\u09e1\u09e4-\u09fd\u09ff\u0a00\u0a04-\u0a3b\u0a3d"
    "\u0a43-\u0a46\u0a49\u0a4a\u0a4e-\u0a50\u0a52-\u0a6f\u0a72-\u0a74\u0a76-\u0a80\u0a84-\u0abb\u0abd\u0ac6"
    "\u0aca\u0ace-\u0ae1\u0ae4-\u0af9\u0b00\u0b04-\u0b3b\u0b3d\u0b45\u0b46\u0b49\u0b4a\u0b4e-\u0b54"
    "\u0b58-\u0b61\u0b64-\u0b81\u0b83-\u0bbd\u0bc3-\u0bc5\u0bc9\u0bce-\u0bd6\u0bd8-\u0bff\u0c05-\u0c3b\u0c3d"
    "\u0c45\u0c49\u0c4e-\u0c54\u0c57-\u0c61\u0c64-\u0c80\u0c84-\u0cbb\u0cbd\u0cc5\u0cc9\u0cce-\u0cd4"
    "\u0cd7-\u0ce1\u0ce4-\u0cf2\u0cf4-\u0cff\u0d04-\u0d3a\u0d3d\u0d45\u0d49\u0d4e-\u0d56\u0d58-\u0d61"
    "\u0d64-\u0d80\u0d84-\u0dc9\u0dcb-\u0dce\u0dd5\u0dd7\u0de0-\u0df1\u0df4-\u0e30\u0e32\u0e33\u0e3b-\u0e46"
    "\u0e4f-\u0eb0\u0eb2\u0eb3\u0ebd-\u0ec7\u0ecf-\u0f17\u0f1a-\u0f34\u0f36\u0f38\u0f3a-\u0f3d\u0f40-\u0f70"
    "\u0f85\u0f88-\u0f8c\u0f98\u0fbd-\u0fc5\u0fc7-\u102a\u103f-\u1055\u105a-\u105d\u1061\u1065\u1066"
    "\u106e-\u1070\u1075-\u1081\u108e\u1090-\u1099\u109e-\u115e\u1161-\u135c\u1360-\u1432\u1434-\u1437"
    "\u1439-\u16b1\u16b3-\u1711\u1716-\u1731\u1735-\u1751\u1754-\u1771\u1774-\u17b3\u17d4-\u17dc\u17de-\u180a"
    "\u1810-\u1884\u1887-\u18a8\u18aa-\u191f\u192c-\u192f\u193c-\u1a16\u1a1c-\u1a54\u1a5f\u1a7d\u1a7e"
    "\u1a80-\u1aaf\u1ade\u1adf\u1aec-\u1aff\u1b05-\u1b33\u1b45-\u1b6a\u1b74-\u1b7f\u1b83-\u1ba0\u1bae-\u1be5"
    "\u1bf4-\u1c23\u1c38-\u1ccf\u1cd3\u1ce9-\u1cec\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa-\u1dbf\u1e00-\u200a"
    "\u200e-\u2027\u202f-\u2038\u203b-\u2044\u2046-\u205f\u2070-\u20cf\u20f1-\u226d\u2270-\u2307\u2309"
    "\u230b-\u2328\u232b-\u276d\u2770\u2771\u2773-\u27e5\u27e7\u27ea\u27eb\u27ed-\u298a\u298c\u298e"
    "\u2990-\u2996\u2998-\u2cee\u2cf2-\u2d7e\u2d80-\u2ddf\u2e00-\u2e21\u2e23\u2e25-\u2e54\u2e56\u2e58-\u3007"
    "\u300a-\u300f\u3011-\u3013\u3015\u3017\u3019\u301b-\u3029\u3030-\u3098\u309b-\u3163\u3165-\ua66e\ua673"
    "\ua67e-\ua69d\ua6a0-\ua6ef\ua6f2-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua828-\ua82b\ua82d-\ua87f"
    "\ua882-\ua8b3\ua8c6-\ua8df\ua8f2-\ua8fe\ua900-\ua925\ua92e-\ua946\ua954-\ua97f\ua984-\ua9b2\ua9c1-\ua9e4"
    "\ua9e6-\uaa28\uaa37-\uaa42\uaa44-\uaa4b\uaa4e-\uaa7a\uaa7e-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0"
    "\uaac2-\uaaea\uaaf0-\uaaf4\uaaf7-\uabe2\uabeb\uabee-\udfff\uf900-\ufb1d\ufb1f-\ufdcf\ufdf0-\ufdff"
    "\ufe10-\ufe16\ufe18-\ufe1f\ufe30-\ufe38\ufe3a\ufe3c-\ufe3e\ufe41-\ufe46\ufe48-\ufe5c\ufe5e\ufe5f"
    "\ufe61-\ufe63\ufe66-\ufefe\uff00-\uff05\uff07-\uff1b\uff1d\uff1f-\uff3a\uff3c-\uff9f\uffa1-\uffef"
    "\ufffc\ufffd\U0001f000-\U0001f129\U0001f12b-\U0001f23f\U0001f249-\U0001faff\U00020000-\U0002fffd"
)

# The same and combining marks.
PLAIN_OR_MARK = (
    "\x09\x0a -%'-;=?-Z\\\\-~\xa0-\xac\xae-\u02c1\u02c4-\u034e\u0350-\u115e\u1161-\u1432\u1434-\u1437"
    "\u1439-\u16b1\u16b3-\u17b3\u17b6-\u180a\u1810-\u200a\u200e-\u2027\u202f-\u2038\u203b-\u2044\u2046-\u205f"
    "\u2070-\u226d\u2270-\u2307\u2309\u230b-\u2328\u232b-\u276d\u2770\u2771\u2773-\u27e5\u27e7\u27ea\u27eb"
    "\u27ed-\u298a\u298c\u298e\u2990-\u2996\u2998-\u2e21\u2e23\u2e25-\u2e54\u2e56\u2e58-\u3007\u300a-\u300f"
    "\u3011-\u3013\u3015\u3017\u3019\u301b-\u3163\u3165-\udfff\uf900-\ufdcf\ufdf0-\ufdff\ufe10-\ufe16"
    "\ufe18-\ufe38\ufe3a\ufe3c-\ufe3e\ufe41-\ufe46\ufe48-\ufe5c\ufe5e\ufe5f\ufe61-\ufe63\ufe66-\ufefe"
    "\uff00-\uff05\uff07-\uff1b\uff1d\uff1f-\uff3a\uff3c-\uff9f\uffa1-\uffef\ufffc\ufffd\U0001f000-\U0001f129"
    "\U0001f12b-\U0001f23f\U0001f249-\U0001faff\U00020000-\U0002fffd"
)

# What ends a gap: letters and digits.
LETTERS_AND_DIGITS = (
    "0-9A-Za-z\xaa\xb2\xb3\xb5\xb9\xba\xbc-\xbe\xc0-\xd6\xd8-\xf6\xf8-\u02c1\u02c6-\u02d1\u02e0-\u02e4\u02ec"
    "\u02ee\u0370-\u0374\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5"
    "\u03f7-\u0481\u048a-\u052f\u0531-\u0556\u0559\u0560-\u0588\u05d0-\u05ea\u05ef-\u05f2\u0620-\u064a"
    "\u0660-\u0669\u066e\u066f\u0671-\u06d3\u06d5\u06e5\u06e6\u06ee-\u06fc\u06ff\u0710\u0712-\u072f"
    "\u074d-\u07a5\u07b1\u07c0-\u07ea\u07f4\u07f5\u07fa\u0800-\u0815\u081a\u0824\u0828\u0840-\u0858"
    "\u0860-\u086a\u0870-\u0887\u0889-\u088f\u08a0-\u08c9\u0904-\u0939\u093d\u0950\u0958-\u0961\u0966-\u096f"
    "\u0971-\u0980\u0985-\u098c\u098f\u0990\u0993-\u09a8\u09aa-\u09b0\u09b2\u09b6-\u09b9\u09bd\u09ce"
    "\u09dc\u09dd\u09df-\u09e1\u09e6-\u09f1\u09f4-\u09f9\u09fc\u0a05-\u0a0a\u0a0f\u0a10\u0a13-\u0a28"
    "\u0a2a-\u0a30\u0a32\u0a33\u0a35\u0a36\u0a38\u0a39\u0a59-\u0a5c\u0a5e\u0a66-\u0a6f\u0a72-\u0a74"
    "\u0a85-\u0a8d\u0a8f-\u0a91\u0a93-\u0aa8\u0aaa-\u0ab0\u0ab2\u0ab3\u0ab5-\u0ab9\u0abd\u0ad0\u0ae0\u0ae1"
    "\u0ae6-\u0aef\u0af9\u0b05-\u0b0c\u0b0f\u0b10\u0b13-\u0b28\u0b2a-\u0b30\u0b32\u0b33\u0b35-\u0b39\u0b3d"
    "\u0b5c\u0b5d\u0b5f-\u0b61\u0b66-\u0b6f\u0b71-\u0b77\u0b83\u0b85-\u0b8a\u0b8e-\u0b90\u0b92-\u0b95"
    "\u0b99\u0b9a\u0b9c\u0b9e\u0b9f\u0ba3\u0ba4\u0ba8-\u0baa\u0bae-\u0bb9\u0bd0\u0be6-\u0bf2\u0c05-\u0c0c"
    "\u0c0e-\u0c10\u0c12-\u0c28\u0c2a-\u0c39\u0c3d\u0c58-\u0c5a\u0c5c\u0c5d\u0c60\u0c61\u0c66-\u0c6f"
    "\u0c78-\u0c7e\u0c80\u0c85-\u0c8c\u0c8e-\u0c90\u0c92-\u0ca8\u0caa-\u0cb3\u0cb5-\u0cb9\u0cbd\u0cdc-\u0cde"
    "\u0ce0\u0ce1\u0ce6-\u0cef\u0cf1\u0cf2\u0d04-\u0d0c\u0d0e-\u0d10\u0d12-\u0d3a\u0d3d\u0d4e\u0d54-\u0d56"
    "\u0d58-\u0d61\u0d66-\u0d78\u0d7a-\u0d7f\u0d85-\u0d96\u0d9a-\u0db1\u0db3-\u0dbb\u0dbd\u0dc0-\u0dc6"
    "\u0de6-\u0def\u0e01-\u0e30\u0e32\u0e33\u0e40-\u0e46\u0e50-\u0e59\u0e81\u0e82\u0e84\u0e86-\u0e8a"
    "\u0e8c-\u0ea3\u0ea5\u0ea7-\u0eb0\u0eb2\u0eb3\u0ebd\u0ec0-\u0ec4\u0ec6\u0ed0-\u0ed9\u0edc-\u0edf\u0f00"
    "\u0f20-\u0f33\u0f40-\u0f47\u0f49-\u0f6c\u0f88-\u0f8c\u1000-\u102a\u103f-\u1049\u1050-\u1055\u105a-\u105d"
    "\u1061\u1065\u1066\u106e-\u1070\u1075-\u1081\u108e\u1090-\u1099\u10a0-\u10c5\u10c7\u10cd\u10d0-\u10fa"
    "\u10fc-\u115e\u1161-\u1248\u124a-\u124d\u1250-\u1256\u1258\u125a-\u125d\u1260-\u1288\u128a-\u128d"
    "\u1290-\u12b0\u12b2-\u12b5\u12b8-\u12be\u12c0\u12c2-\u12c5\u12c8-\u12d6\u12d8-\u1310\u1312-\u1315"
    "\u1318-\u135a\u1369-\u137c\u1380-\u138f\u13a0-\u13f5\u13f8-\u13fd\u1401-\u166c\u166f-\u167f\u1681-\u169a"
    "\u16a0-\u16ea\u16ee-\u16f8\u1700-\u1711\u171f-\u1731\u1740-\u1751\u1760-\u176c\u176e-\u1770\u1780-\u17b3"
    "\u17d7\u17dc\u17e0-\u17e9\u17f0-\u17f9\u1810-\u1819\u1820-\u1878\u1880-\u1884\u1887-\u18a8\u18aa"
    "\u18b0-\u18f5\u1900-\u191e\u1946-\u196d\u1970-\u1974\u1980-\u19ab\u19b0-\u19c9\u19d0-\u19da\u1a00-\u1a16"
    "\u1a20-\u1a54\u1a80-\u1a89\u1a90-\u1a99\u1aa7\u1b05-\u1b33\u1b45-\u1b4c\u1b50-\u1b59\u1b83-\u1ba0"
    "\u1bae-\u1be5\u1c00-\u1c23\u1c40-\u1c49\u1c4d-\u1c7d\u1c80-\u1c8a\u1c90-\u1cba\u1cbd-\u1cbf\u1ce9-\u1cec"
    "\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa\u1d00-\u1dbf\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d"
    "\u1f50-\u1f57\u1f59\u1f5b\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc"
    "\u1fd0-\u1fd3\u1fd6-\u1fdb\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2070\u2071\u2074-\u2079\u207f-\u2089"
    "\u2090-\u209c\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128\u212a-\u212d\u212f-\u2139"
    "\u213c-\u213f\u2145-\u2149\u214e\u2150-\u2189\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\u2c00-\u2ce4"
    "\u2ceb-\u2cee\u2cf2\u2cf3\u2cfd\u2d00-\u2d25\u2d27\u2d2d\u2d30-\u2d67\u2d6f\u2d80-\u2d96\u2da0-\u2da6"
    "\u2da8-\u2dae\u2db0-\u2db6\u2db8-\u2dbe\u2dc0-\u2dc6\u2dc8-\u2dce\u2dd0-\u2dd6\u2dd8-\u2dde\u2e2f"
    "\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff"
    "\u3105-\u312f\u3131-\u3163\u3165-\u318e\u3192-\u3195\u31a0-\u31bf\u31f0-\u31ff\u3220-\u3229\u3248-\u324f"
    "\u3251-\u325f\u3280-\u3289\u32b1-\u32bf\u3400-\u4dbf\u4e00-\ua48c\ua4d0-\ua4fd\ua500-\ua60c\ua610-\ua62b"
    "\ua640-\ua66e\ua67f-\ua69d\ua6a0-\ua6ef\ua717-\ua71f\ua722-\ua788\ua78b-\ua7dc\ua7f1-\ua801\ua803-\ua805"
    "\ua807-\ua80a\ua80c-\ua822\ua830-\ua835\ua840-\ua873\ua882-\ua8b3\ua8d0-\ua8d9\ua8f2-\ua8f7\ua8fb"
    "\ua8fd\ua8fe\ua900-\ua925\ua930-\ua946\ua960-\ua97c\ua984-\ua9b2\ua9cf-\ua9d9\ua9e0-\ua9e4\ua9e6-\ua9fe"
    "\uaa00-\uaa28\uaa40-\uaa42\uaa44-\uaa4b\uaa50-\uaa59\uaa60-\uaa76\uaa7a\uaa7e-\uaaaf\uaab1\uaab5\uaab6"
    "\uaab9-\uaabd\uaac0\uaac2\uaadb-\uaadd\uaae0-\uaaea\uaaf2-\uaaf4\uab01-\uab06\uab09-\uab0e\uab11-\uab16"
    "\uab20-\uab26\uab28-\uab2e\uab30-\uab5a\uab5c-\uab69\uab70-\uabe2\uabf0-\uabf9\uac00-\ud7a3\ud7b0-\ud7c6"
    "\ud7cb-\ud7fb\uf900-\ufa6d\ufa70-\ufad9\ufb00-\ufb06\ufb13-\ufb17\ufb1d\ufb1f-\ufb28\ufb2a-\ufb36"
    "\ufb38-\ufb3c\ufb3e\ufb40\ufb41\ufb43\ufb44\ufb46-\ufbb1\ufbd3-\ufc5d\ufc64-\ufd3d\ufd50-\ufd8f"
    "\ufd92-\ufdc7\ufdf0-\ufdfb\ufe71\ufe73\ufe77\ufe79\ufe7b\ufe7d\ufe7f-\ufefc\uff10-\uff19\uff21-\uff3a"
    "\uff41-\uff5a\uff66-\uff9d\uffa1-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc"
    "\U00010000-\U0001000b\U0001000d-\U00010026\U00010028-\U0001003a\U0001003c\U0001003d\U0001003f-\U0001004d"
    "\U00010050-\U0001005d\U00010080-\U000100fa\U00010107-\U00010133\U00010140-\U00010178\U0001018a\U0001018b"
    "\U00010280-\U0001029c\U000102a0-\U000102d0\U000102e1-\U000102fb\U00010300-\U00010323\U0001032d-\U0001034a"
    "\U00010350-\U00010375\U00010380-\U0001039d\U000103a0-\U000103c3\U000103c8-\U000103cf\U000103d1-\U000103d5"
    "\U00010400-\U0001049d\U000104a0-\U000104a9\U000104b0-\U000104d3\U000104d8-\U000104fb\U00010500-\U00010527"
    "\U00010530-\U00010563\U00010570-\U0001057a\U0001057c-\U0001058a\U0001058c-\U00010592\U00010594\U00010595"
    "\U00010597-\U000105a1\U000105a3-\U000105b1\U000105b3-\U000105b9\U000105bb\U000105bc\U000105c0-\U000105f3"
    "\U00010600-\U00010736\U00010740-\U00010755\U00010760-\U00010767\U00010780-\U00010785\U00010787-\U000107b0"
    "\U000107b2-\U000107ba\U00010800-\U00010805\U00010808\U0001080a-\U00010835\U00010837\U00010838\U0001083c"
    "\U0001083f-\U00010855\U00010858-\U00010876\U00010879-\U0001089e\U000108a7-\U000108af\U000108e0-\U000108f2"
    "\U000108f4\U000108f5\U000108fb-\U0001091b\U00010920-\U00010939\U00010940-\U00010959\U00010980-\U000109b7"
    "\U000109bc-\U000109cf\U000109d2-\U00010a00\U00010a10-\U00010a13\U00010a15-\U00010a17\U00010a19-\U00010a35"
    "\U00010a40-\U00010a48\U00010a60-\U00010a7e\U00010a80-\U00010a9f\U00010ac0-\U00010ac7\U00010ac9-\U00010ae4"
    "\U00010aeb-\U00010aef\U00010b00-\U00010b35\U00010b40-\U00010b55\U00010b58-\U00010b72\U00010b78-\U00010b91"
    "\U00010ba9-\U00010baf\U00010c00-\U00010c48\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U00010cfa-\U00010d23"
    "\U00010d30-\U00010d39\U00010d40-\U00010d65\U00010d6f-\U00010d85\U00010e60-\U00010e7e\U00010e80-\U00010ea9"
    "\U00010eb0\U00010eb1\U00010ec2-\U00010ec7\U00010f00-\U00010f27\U00010f30-\U00010f45\U00010f51-\U00010f54"
    "\U00010f70-\U00010f81\U00010fb0-\U00010fcb\U00010fe0-\U00010ff6\U00011003-\U00011037\U00011052-\U0001106f"
    "\U00011071\U00011072\U00011075\U00011083-\U000110af\U000110d0-\U000110e8\U000110f0-\U000110f9"
    "\U00011103-\U00011126\U00011136-\U0001113f\U00011144\U00011147\U00011150-\U00011172\U00011176"
    "\U00011183-\U000111b2\U000111c1-\U000111c4\U000111d0-\U000111da\U000111dc\U000111e1-\U000111f4"
    "\U00011200-\U00011211\U00011213-\U0001122b\U0001123f\U00011240\U00011280-\U00011286\U00011288"
    "\U0001128a-\U0001128d\U0001128f-\U0001129d\U0001129f-\U000112a8\U000112b0-\U000112de\U000112f0-\U000112f9"
    "\U00011305-\U0001130c\U0001130f\U00011310\U00011313-\U00011328\U0001132a-\U00011330\U00011332\U00011333"
    "\U00011335-\U00011339\U0001133d\U00011350\U0001135d-\U00011361\U00011380-\U00011389\U0001138b\U0001138e"
    "\U00011390-\U000113b5\U000113b7\U000113d1\U000113d3\U00011400-\U00011434\U00011447-\U0001144a"
    "\U00011450-\U00011459\U0001145f-\U00011461\U00011480-\U000114af\U000114c4\U000114c5\U000114c7"
    "\U000114d0-\U000114d9\U00011580-\U000115ae\U000115d8-\U000115db\U00011600-\U0001162f\U00011644"
    "\U00011650-\U00011659\U00011680-\U000116aa\U000116b8\U000116c0-\U000116c9\U000116d0-\U000116e3"
    "\U00011700-\U0001171a\U00011730-\U0001173b\U00011740-\U00011746\U00011800-\U0001182b\U000118a0-\U000118f2"
    "\U000118ff-\U00011906\U00011909\U0001190c-\U00011913\U00011915\U00011916\U00011918-\U0001192f\U0001193f"
    "\U00011941\U00011950-\U00011959\U000119a0-\U000119a7\U000119aa-\U000119d0\U000119e1\U000119e3\U00011a00"
    "\U00011a0b-\U00011a32\U00011a3a\U00011a50\U00011a5c-\U00011a89\U00011a9d\U00011ab0-\U00011af8"
    "\U00011bc0-\U00011be0\U00011bf0-\U00011bf9\U00011c00-\U00011c08\U00011c0a-\U00011c2e\U00011c40"
    "\U00011c50-\U00011c6c\U00011c72-\U00011c8f\U00011d00-\U00011d06\U00011d08\U00011d09\U00011d0b-\U00011d30"
    "\U00011d46\U00011d50-\U00011d59\U00011d60-\U00011d65\U00011d67\U00011d68\U00011d6a-\U00011d89\U00011d98"
    "\U00011da0-\U00011da9\U00011db0-\U00011ddb\U00011de0-\U00011de9\U00011ee0-\U00011ef2\U00011f02"
    "\U00011f04-\U00011f10\U00011f12-\U00011f33\U00011f50-\U00011f59\U00011fb0\U00011fc0-\U00011fd4"
    "\U00012000-\U00012399\U00012400-\U0001246e\U00012480-\U00012543\U00012f90-\U00012ff0\U00013000-\U0001342f"
    "\U00013441-\U00013446\U00013460-\U000143fa\U00014400-\U00014646\U00016100-\U0001611d\U00016130-\U00016139"
    "\U00016800-\U00016a38\U00016a40-\U00016a5e\U00016a60-\U00016a69\U00016a70-\U00016abe\U00016ac0-\U00016ac9"
    "\U00016ad0-\U00016aed\U00016b00-\U00016b2f\U00016b40-\U00016b43\U00016b50-\U00016b59\U00016b5b-\U00016b61"
    "\U00016b63-\U00016b77\U00016b7d-\U00016b8f\U00016d40-\U00016d6c\U00016d70-\U00016d79\U00016e40-\U00016e96"
    "\U00016ea0-\U00016eb8\U00016ebb-\U00016ed3\U00016f00-\U00016f4a\U00016f50\U00016f93-\U00016f9f"
    "\U00016fe0\U00016fe1\U00016fe3\U00016ff2-\U00016ff6\U00017000-\U00018cd5\U00018cff-\U00018d1e"
    "\U00018d80-\U00018df2\U0001aff0-\U0001aff3\U0001aff5-\U0001affb\U0001affd\U0001affe\U0001b000-\U0001b122"
    "\U0001b132\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b167\U0001b170-\U0001b2fb\U0001bc00-\U0001bc6a"
    "\U0001bc70-\U0001bc7c\U0001bc80-\U0001bc88\U0001bc90-\U0001bc99\U0001ccf0-\U0001ccf9\U0001d2c0-\U0001d2d3"
    "\U0001d2e0-\U0001d2f3\U0001d360-\U0001d378\U0001d400-\U0001d454\U0001d456-\U0001d49c\U0001d49e\U0001d49f"
    "\U0001d4a2\U0001d4a5\U0001d4a6\U0001d4a9-\U0001d4ac\U0001d4ae-\U0001d4b9\U0001d4bb\U0001d4bd-\U0001d4c3"
    "\U0001d4c5-\U0001d505\U0001d507-\U0001d50a\U0001d50d-\U0001d514\U0001d516-\U0001d51c\U0001d51e-\U0001d539"
    "\U0001d53b-\U0001d53e\U0001d540-\U0001d544\U0001d546\U0001d54a-\U0001d550\U0001d552-\U0001d6a5"
    "\U0001d6a8-\U0001d6c0\U0001d6c2-\U0001d6da\U0001d6dc-\U0001d6fa\U0001d6fc-\U0001d714\U0001d716-\U0001d734"
    "\U0001d736-\U0001d74e\U0001d750-\U0001d76e\U0001d770-\U0001d788\U0001d78a-\U0001d7a8\U0001d7aa-\U0001d7c2"
    "\U0001d7c4-\U0001d7cb\U0001d7ce-\U0001d7ff\U0001df00-\U0001df1e\U0001df25-\U0001df2a\U0001e030-\U0001e06d"
    "\U0001e100-\U0001e12c\U0001e137-\U0001e13d\U0001e140-\U0001e149\U0001e14e\U0001e290-\U0001e2ad"
    "\U0001e2c0-\U0001e2eb\U0001e2f0-\U0001e2f9\U0001e4d0-\U0001e4eb\U0001e4f0-\U0001e4f9\U0001e5d0-\U0001e5ed"
    "\U0001e5f0-\U0001e5fa\U0001e6c0-\U0001e6de\U0001e6e0-\U0001e6e2\U0001e6e4\U0001e6e5\U0001e6e7-\U0001e6ed"
    "\U0001e6f0-\U0001e6f4\U0001e6fe\U0001e6ff\U0001e7e0-\U0001e7e6\U0001e7e8-\U0001e7eb\U0001e7ed\U0001e7ee"
    "\U0001e7f0-\U0001e7fe\U0001e800-\U0001e8c4\U0001e8c7-\U0001e8cf\U0001e900-\U0001e943\U0001e94b"
    "\U0001e950-\U0001e959\U0001ec71-\U0001ecab\U0001ecad-\U0001ecaf\U0001ecb1-\U0001ecb4\U0001ed01-\U0001ed2d"
    "\U0001ed2f-\U0001ed3d\U0001ee00-\U0001ee03\U0001ee05-\U0001ee1f\U0001ee21\U0001ee22\U0001ee24\U0001ee27"
    "\U0001ee29-\U0001ee32\U0001ee34-\U0001ee37\U0001ee39\U0001ee3b\U0001ee42\U0001ee47\U0001ee49\U0001ee4b"
    "\U0001ee4d-\U0001ee4f\U0001ee51\U0001ee52\U0001ee54\U0001ee57\U0001ee59\U0001ee5b\U0001ee5d\U0001ee5f"
    "\U0001ee61\U0001ee62\U0001ee64\U0001ee67-\U0001ee6a\U0001ee6c-\U0001ee72\U0001ee74-\U0001ee77"
    "\U0001ee79-\U0001ee7c\U0001ee7e\U0001ee80-\U0001ee89\U0001ee8b-\U0001ee9b\U0001eea1-\U0001eea3"
    "\U0001eea5-\U0001eea9\U0001eeab-\U0001eebb\U0001f100-\U0001f10c\U0001fbf0-\U0001fbf9\U00020000-\U0002a6df"
    "\U0002a700-\U0002b81d\U0002b820-\U0002cead\U0002ceb0-\U0002ebe0\U0002ebf0-\U0002ee5d\U0002f800-\U0002fa1d"
    "\U00030000-\U0003134a\U00031350-\U00033479"
)

# UTS #39: letter to what looks like it in some form.
LOOKALIKES: dict[str, str] = {
    "u": (
        "\u01b2\u028b\u03a5\u03c5\u03d2\u054d\u057d\u1200\u144c\u1d1c\u1db8\u1db9\u222a\u22c3\ua4f4\ua79e\ua79f"
        "\uab4e\uab52\uab5f\U000104ce\U000104f6\U000118b8\U000118d8\U00016f42\U0001d6bc\U0001d6d6\U0001d6f6"
        "\U0001d710\U0001d730\U0001d74a\U0001d76a\U0001d784\U0001d7a4\U0001d7be\U0001f164\U0001f184\U0001f1fa"
    ),
    "n": (
        "\u0274\u039d\u0548\u054c\u0578\u057c\u1db0\u2c9a\ua4e0\U00010513\U0001d6b4\U0001d6ee\U0001d728"
        "\U0001d762\U0001d79c\U0001f15d\U0001f17d\U0001f1f3"
    ),
    "t": (
        "\u03a4\u0422\u13a2\u1d1b\u22a4\u27d9\u2ca6\ua4d4\uab72\U00010297\U000102b1\U00010315\U000118bc"
        "\U00016f0a\U0001d6bb\U0001d6f5\U0001d72f\U0001d769\U0001d7a3\U0001f163\U0001f183\U0001f1f9\U0001f768"
    ),
    "r": (
        "\u01a6\u0280\u0413\u0433\u13a1\u13d2\u1587\u1d26\u2c84\u2c85\ua4e3\uab47\uab48\uab71\uab81\uaba2"
        "\U000104b4\U000107aa\U00016f35\U0001d216\U0001e033\U0001e054\U0001f161\U0001f181\U0001f1f7"
    ),
    "s": (
        "\u01bc\u01bd\u0405\u0455\u054f\u0d1f\u13d5\u13da\ua4e2\ua731\uaba5\uabaa\U00010296\U00010420\U00010448"
        "\U000118a1\U000118c1\U00016f3a\U0001e069\U0001f162\U0001f182\U0001f1f8"
    ),
    "e": (
        "\u0395\u0415\u0435\u04bc\u04bd\u13ac\u1d07\u212e\u22ff\u2d39\ua4f0\uab32\uab7c\U00010286\U000118a6"
        "\U000118ae\U0001d6ac\U0001d6e6\U0001d720\U0001d75a\U0001d794\U0001e035\U0001e056\U0001f154\U0001f174"
        "\U0001f1ea"
    ),
    "a": (
        "\u0251\u0391\u03b1\u0410\u0430\u13aa\u15c5\u1d00\u1d45\u237a\u2c6d\ua4ee\uab7a\U000102a0\U00016f40"
        "\U0001d6a8\U0001d6c2\U0001d6e2\U0001d6fc\U0001d71c\U0001d736\U0001d756\U0001d770\U0001d790\U0001d7aa"
        "\U0001e030\U0001e051\U0001f150\U0001f170\U0001f1e6"
    ),
    "d": "\u0500\u0501\u13a0\u13e7\u146f\u15de\u15ea\u1d05\ua4d2\ua4d3\uab70\uabb7\U0001f153\U0001f173\U0001f1e9",
}

# Folded copy of the detectors: what becomes the key (compatibility forms and case).
FOLD_TO_ONE: dict[str, str] = {
    " ": (
        "\x09\x0a\x0b\x0c\x0d\x1c\x1d\x1e\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
        "\u2009\u200a\u2028\u2029\u202f\u205f\u2800\u3000\ufffc\U00013441\U00013442\U00016fe4\U0001d159"
    ),
    "!": "\ufe15\ufe57\uff01",
    "\"": "\uff02",
    "#": "\ufe5f\uff03",
    "$": "\ufe69\uff04",
    "%": "\ufe6a\uff05",
    "&": "\ufe60\uff06",
    "'": "\uff07",
    "(": "\u207d\u208d\ufe35\ufe59\uff08",
    ")": "\u207e\u208e\ufe36\ufe5a\uff09",
    "*": "\ufe61\uff0a",
    "+": "\u207a\u208a\ufb29\ufe62\uff0b",
    ",": "\ufe10\ufe50\uff0c",
    "-": "\ufe63\uff0d",
    ".": "\u2024\ufe52\uff0e",
    "/": "\uff0f",
    "0": "\u2070\u2080\u24ea\uff10\U0001ccf0\U0001d7ce\U0001d7d8\U0001d7e2\U0001d7ec\U0001d7f6\U0001fbf0",
    "1": "\xb9\u2081\u2460\uff11\U0001ccf1\U0001d7cf\U0001d7d9\U0001d7e3\U0001d7ed\U0001d7f7\U0001fbf1",
    "2": "\xb2\u2082\u2461\uff12\U0001ccf2\U0001d7d0\U0001d7da\U0001d7e4\U0001d7ee\U0001d7f8\U0001fbf2",
    "3": "\xb3\u2083\u2462\uff13\U0001ccf3\U0001d7d1\U0001d7db\U0001d7e5\U0001d7ef\U0001d7f9\U0001fbf3",
    "4": "\u2074\u2084\u2463\uff14\U0001ccf4\U0001d7d2\U0001d7dc\U0001d7e6\U0001d7f0\U0001d7fa\U0001fbf4",
    "5": "\u2075\u2085\u2464\uff15\U0001ccf5\U0001d7d3\U0001d7dd\U0001d7e7\U0001d7f1\U0001d7fb\U0001fbf5",
    "6": "\u2076\u2086\u2465\uff16\U0001ccf6\U0001d7d4\U0001d7de\U0001d7e8\U0001d7f2\U0001d7fc\U0001fbf6",
    "7": "\u2077\u2087\u2466\uff17\U0001ccf7\U0001d7d5\U0001d7df\U0001d7e9\U0001d7f3\U0001d7fd\U0001fbf7",
    "8": "\u2078\u2088\u2467\uff18\U0001ccf8\U0001d7d6\U0001d7e0\U0001d7ea\U0001d7f4\U0001d7fe\U0001fbf8",
    "9": "\u2079\u2089\u2468\uff19\U0001ccf9\U0001d7d7\U0001d7e1\U0001d7eb\U0001d7f5\U0001d7ff\U0001fbf9",
    ":": "\ufe13\ufe55\uff1a",
    ";": "\u037e\ufe14\ufe54\uff1b",
    "<": "\u02c2\u1438\u16b2\u2039\u226e\u2329\u276e\u27e8\u3008\ufe3f\ufe64\uff1c",
    "=": "\u207c\u208c\ufe66\uff1d",
    ">": "\u02c3\u1433\u203a\u226f\u232a\u276f\u27e9\u3009\ufe40\ufe65\uff1e",
    "?": "\ufe16\ufe56\uff1f",
    "@": "\ufe6b\uff20",
    "[": (
        "\u2045\u2308\u230a\u2772\u27e6\u27ec\u298b\u298d\u298f\u2997\u2e22\u2e24\u2e55\u2e57\u3010\u3014\u3016"
        "\u3018\u301a\ufe17\ufe39\ufe3b\ufe47\ufe5d\uff3b"
    ),
    "\\": "\ufe68\uff3c",
    "]": (
        "\u2046\u2309\u230b\u2773\u27e7\u27ed\u298c\u298e\u2990\u2998\u2e23\u2e25\u2e56\u2e58\u3011\u3015\u3017"
        "\u3019\u301b\ufe18\ufe3a\ufe3c\ufe48\ufe5e\uff3d"
    ),
    "^": "\uff3e",
    "_": "\ufe33\ufe34\ufe4d\ufe4e\ufe4f\uff3f",
    "`": "\u1fef\uff40",
    "a": (
        "A\xaa\u1d2c\u1d43\u2090\u24b6\u24d0\uff21\uff41\U0001ccd6\U0001d400\U0001d41a\U0001d434\U0001d44e"
        "\U0001d468\U0001d482\U0001d49c\U0001d4b6\U0001d4d0\U0001d4ea\U0001d504\U0001d51e\U0001d538\U0001d552"
        "\U0001d56c\U0001d586\U0001d5a0\U0001d5ba\U0001d5d4\U0001d5ee\U0001d608\U0001d622\U0001d63c\U0001d656"
        "\U0001d670\U0001d68a\U0001f130"
    ),
    "b": (
        "B\u1d2e\u1d47\u212c\u24b7\u24d1\uff22\uff42\U0001ccd7\U0001d401\U0001d41b\U0001d435\U0001d44f"
        "\U0001d469\U0001d483\U0001d4b7\U0001d4d1\U0001d4eb\U0001d505\U0001d51f\U0001d539\U0001d553\U0001d56d"
        "\U0001d587\U0001d5a1\U0001d5bb\U0001d5d5\U0001d5ef\U0001d609\U0001d623\U0001d63d\U0001d657\U0001d671"
        "\U0001d68b\U0001f131"
    ),
    "c": (
        "C\u1d9c\u2102\u212d\u216d\u217d\u24b8\u24d2\ua7f2\uff23\uff43\U0001ccd8\U0001d402\U0001d41c\U0001d436"
        "\U0001d450\U0001d46a\U0001d484\U0001d49e\U0001d4b8\U0001d4d2\U0001d4ec\U0001d520\U0001d554\U0001d56e"
        "\U0001d588\U0001d5a2\U0001d5bc\U0001d5d6\U0001d5f0\U0001d60a\U0001d624\U0001d63e\U0001d658\U0001d672"
        "\U0001d68c\U0001f12b\U0001f132"
    ),
    "d": (
        "D\u1d30\u1d48\u2145\u2146\u216e\u217e\u24b9\u24d3\uff24\uff44\U0001ccd9\U0001d403\U0001d41d\U0001d437"
        "\U0001d451\U0001d46b\U0001d485\U0001d49f\U0001d4b9\U0001d4d3\U0001d4ed\U0001d507\U0001d521\U0001d53b"
        "\U0001d555\U0001d56f\U0001d589\U0001d5a3\U0001d5bd\U0001d5d7\U0001d5f1\U0001d60b\U0001d625\U0001d63f"
        "\U0001d659\U0001d673\U0001d68d\U0001f133"
    ),
    "e": (
        "E\u1d31\u1d49\u2091\u212f\u2130\u2147\u24ba\u24d4\uff25\uff45\U0001ccda\U0001d404\U0001d41e\U0001d438"
        "\U0001d452\U0001d46c\U0001d486\U0001d4d4\U0001d4ee\U0001d508\U0001d522\U0001d53c\U0001d556\U0001d570"
        "\U0001d58a\U0001d5a4\U0001d5be\U0001d5d8\U0001d5f2\U0001d60c\U0001d626\U0001d640\U0001d65a\U0001d674"
        "\U0001d68e\U0001f134"
    ),
    "f": (
        "F\u1da0\u2131\u24bb\u24d5\ua7f3\uff26\uff46\U0001ccdb\U0001d405\U0001d41f\U0001d439\U0001d453"
        "\U0001d46d\U0001d487\U0001d4bb\U0001d4d5\U0001d4ef\U0001d509\U0001d523\U0001d53d\U0001d557\U0001d571"
        "\U0001d58b\U0001d5a5\U0001d5bf\U0001d5d9\U0001d5f3\U0001d60d\U0001d627\U0001d641\U0001d65b\U0001d675"
        "\U0001d68f\U0001f135"
    ),
    "g": (
        "G\u1d33\u1d4d\u210a\u24bc\u24d6\uff27\uff47\U0001ccdc\U0001d406\U0001d420\U0001d43a\U0001d454"
        "\U0001d46e\U0001d488\U0001d4a2\U0001d4d6\U0001d4f0\U0001d50a\U0001d524\U0001d53e\U0001d558\U0001d572"
        "\U0001d58c\U0001d5a6\U0001d5c0\U0001d5da\U0001d5f4\U0001d60e\U0001d628\U0001d642\U0001d65c\U0001d676"
        "\U0001d690\U0001f136"
    ),
    "h": (
        "H\u02b0\u1d34\u2095\u210b\u210c\u210d\u210e\u24bd\u24d7\uff28\uff48\U0001ccdd\U0001d407\U0001d421"
        "\U0001d43b\U0001d46f\U0001d489\U0001d4bd\U0001d4d7\U0001d4f1\U0001d525\U0001d559\U0001d573\U0001d58d"
        "\U0001d5a7\U0001d5c1\U0001d5db\U0001d5f5\U0001d60f\U0001d629\U0001d643\U0001d65d\U0001d677\U0001d691"
        "\U0001f137"
    ),
    "i": (
        "I\u1d35\u1d62\u2071\u2110\u2111\u2139\u2148\u2160\u2170\u24be\u24d8\uff29\uff49\U0001ccde\U0001d408"
        "\U0001d422\U0001d43c\U0001d456\U0001d470\U0001d48a\U0001d4be\U0001d4d8\U0001d4f2\U0001d526\U0001d540"
        "\U0001d55a\U0001d574\U0001d58e\U0001d5a8\U0001d5c2\U0001d5dc\U0001d5f6\U0001d610\U0001d62a\U0001d644"
        "\U0001d65e\U0001d678\U0001d692\U0001f138"
    ),
    "j": (
        "J\u02b2\u1d36\u2149\u24bf\u24d9\u2c7c\uff2a\uff4a\U0001ccdf\U0001d409\U0001d423\U0001d43d\U0001d457"
        "\U0001d471\U0001d48b\U0001d4a5\U0001d4bf\U0001d4d9\U0001d4f3\U0001d50d\U0001d527\U0001d541\U0001d55b"
        "\U0001d575\U0001d58f\U0001d5a9\U0001d5c3\U0001d5dd\U0001d5f7\U0001d611\U0001d62b\U0001d645\U0001d65f"
        "\U0001d679\U0001d693\U0001f139"
    ),
    "k": (
        "K\u1d37\u1d4f\u2096\u212a\u24c0\u24da\uff2b\uff4b\U0001cce0\U0001d40a\U0001d424\U0001d43e\U0001d458"
        "\U0001d472\U0001d48c\U0001d4a6\U0001d4c0\U0001d4da\U0001d4f4\U0001d50e\U0001d528\U0001d542\U0001d55c"
        "\U0001d576\U0001d590\U0001d5aa\U0001d5c4\U0001d5de\U0001d5f8\U0001d612\U0001d62c\U0001d646\U0001d660"
        "\U0001d67a\U0001d694\U0001f13a"
    ),
    "l": (
        "L\u02e1\u1d38\u2097\u2112\u2113\u216c\u217c\u24c1\u24db\uff2c\uff4c\U0001cce1\U0001d40b\U0001d425"
        "\U0001d43f\U0001d459\U0001d473\U0001d48d\U0001d4c1\U0001d4db\U0001d4f5\U0001d50f\U0001d529\U0001d543"
        "\U0001d55d\U0001d577\U0001d591\U0001d5ab\U0001d5c5\U0001d5df\U0001d5f9\U0001d613\U0001d62d\U0001d647"
        "\U0001d661\U0001d67b\U0001d695\U0001f13b"
    ),
    "m": (
        "M\u1d39\u1d50\u2098\u2133\u216f\u217f\u24c2\u24dc\uff2d\uff4d\U0001cce2\U0001d40c\U0001d426\U0001d440"
        "\U0001d45a\U0001d474\U0001d48e\U0001d4c2\U0001d4dc\U0001d4f6\U0001d510\U0001d52a\U0001d544\U0001d55e"
        "\U0001d578\U0001d592\U0001d5ac\U0001d5c6\U0001d5e0\U0001d5fa\U0001d614\U0001d62e\U0001d648\U0001d662"
        "\U0001d67c\U0001d696\U0001f13c"
    ),
    "n": (
        "N\u1d3a\u207f\u2099\u2115\u24c3\u24dd\uff2e\uff4e\U0001cce3\U0001d40d\U0001d427\U0001d441\U0001d45b"
        "\U0001d475\U0001d48f\U0001d4a9\U0001d4c3\U0001d4dd\U0001d4f7\U0001d511\U0001d52b\U0001d55f\U0001d579"
        "\U0001d593\U0001d5ad\U0001d5c7\U0001d5e1\U0001d5fb\U0001d615\U0001d62f\U0001d649\U0001d663\U0001d67d"
        "\U0001d697\U0001f13d"
    ),
    "o": (
        "O\xba\u1d3c\u1d52\u2092\u2134\u24c4\u24de\uff2f\uff4f\U0001cce4\U0001d40e\U0001d428\U0001d442"
        "\U0001d45c\U0001d476\U0001d490\U0001d4aa\U0001d4de\U0001d4f8\U0001d512\U0001d52c\U0001d546\U0001d560"
        "\U0001d57a\U0001d594\U0001d5ae\U0001d5c8\U0001d5e2\U0001d5fc\U0001d616\U0001d630\U0001d64a\U0001d664"
        "\U0001d67e\U0001d698\U0001f13e"
    ),
    "p": (
        "P\u1d3e\u1d56\u209a\u2119\u24c5\u24df\uff30\uff50\U0001cce5\U0001d40f\U0001d429\U0001d443\U0001d45d"
        "\U0001d477\U0001d491\U0001d4ab\U0001d4c5\U0001d4df\U0001d4f9\U0001d513\U0001d52d\U0001d561\U0001d57b"
        "\U0001d595\U0001d5af\U0001d5c9\U0001d5e3\U0001d5fd\U0001d617\U0001d631\U0001d64b\U0001d665\U0001d67f"
        "\U0001d699\U0001f13f"
    ),
    "q": (
        "Q\u211a\u24c6\u24e0\ua7f4\uff31\uff51\U000107a5\U0001cce6\U0001d410\U0001d42a\U0001d444\U0001d45e"
        "\U0001d478\U0001d492\U0001d4ac\U0001d4c6\U0001d4e0\U0001d4fa\U0001d514\U0001d52e\U0001d562\U0001d57c"
        "\U0001d596\U0001d5b0\U0001d5ca\U0001d5e4\U0001d5fe\U0001d618\U0001d632\U0001d64c\U0001d666\U0001d680"
        "\U0001d69a\U0001f140"
    ),
    "r": (
        "R\u02b3\u1d3f\u1d63\u211b\u211c\u211d\u24c7\u24e1\uff32\uff52\U0001cce7\U0001d411\U0001d42b\U0001d445"
        "\U0001d45f\U0001d479\U0001d493\U0001d4c7\U0001d4e1\U0001d4fb\U0001d52f\U0001d563\U0001d57d\U0001d597"
        "\U0001d5b1\U0001d5cb\U0001d5e5\U0001d5ff\U0001d619\U0001d633\U0001d64d\U0001d667\U0001d681\U0001d69b"
        "\U0001f12c\U0001f141"
    ),
    "s": (
        "S\u017f\u02e2\u209b\u24c8\u24e2\ua7f1\uff33\uff53\U0001cce8\U0001d412\U0001d42c\U0001d446\U0001d460"
        "\U0001d47a\U0001d494\U0001d4ae\U0001d4c8\U0001d4e2\U0001d4fc\U0001d516\U0001d530\U0001d54a\U0001d564"
        "\U0001d57e\U0001d598\U0001d5b2\U0001d5cc\U0001d5e6\U0001d600\U0001d61a\U0001d634\U0001d64e\U0001d668"
        "\U0001d682\U0001d69c\U0001f142"
    ),
    "t": (
        "T\u1d40\u1d57\u209c\u24c9\u24e3\uff34\uff54\U0001cce9\U0001d413\U0001d42d\U0001d447\U0001d461"
        "\U0001d47b\U0001d495\U0001d4af\U0001d4c9\U0001d4e3\U0001d4fd\U0001d517\U0001d531\U0001d54b\U0001d565"
        "\U0001d57f\U0001d599\U0001d5b3\U0001d5cd\U0001d5e7\U0001d601\U0001d61b\U0001d635\U0001d64f\U0001d669"
        "\U0001d683\U0001d69d\U0001f143"
    ),
    "u": (
        "U\u1d41\u1d58\u1d64\u24ca\u24e4\uff35\uff55\U0001ccea\U0001d414\U0001d42e\U0001d448\U0001d462"
        "\U0001d47c\U0001d496\U0001d4b0\U0001d4ca\U0001d4e4\U0001d4fe\U0001d518\U0001d532\U0001d54c\U0001d566"
        "\U0001d580\U0001d59a\U0001d5b4\U0001d5ce\U0001d5e8\U0001d602\U0001d61c\U0001d636\U0001d650\U0001d66a"
        "\U0001d684\U0001d69e\U0001f144"
    ),
    "v": (
        "V\u1d5b\u1d65\u2164\u2174\u24cb\u24e5\u2c7d\uff36\uff56\U0001cceb\U0001d415\U0001d42f\U0001d449"
        "\U0001d463\U0001d47d\U0001d497\U0001d4b1\U0001d4cb\U0001d4e5\U0001d4ff\U0001d519\U0001d533\U0001d54d"
        "\U0001d567\U0001d581\U0001d59b\U0001d5b5\U0001d5cf\U0001d5e9\U0001d603\U0001d61d\U0001d637\U0001d651"
        "\U0001d66b\U0001d685\U0001d69f\U0001f145"
    ),
    "w": (
        "W\u02b7\u1d42\u24cc\u24e6\uff37\uff57\U0001ccec\U0001d416\U0001d430\U0001d44a\U0001d464\U0001d47e"
        "\U0001d498\U0001d4b2\U0001d4cc\U0001d4e6\U0001d500\U0001d51a\U0001d534\U0001d54e\U0001d568\U0001d582"
        "\U0001d59c\U0001d5b6\U0001d5d0\U0001d5ea\U0001d604\U0001d61e\U0001d638\U0001d652\U0001d66c\U0001d686"
        "\U0001d6a0\U0001f146"
    ),
    "x": (
        "X\u02e3\u2093\u2169\u2179\u24cd\u24e7\uff38\uff58\U0001cced\U0001d417\U0001d431\U0001d44b\U0001d465"
        "\U0001d47f\U0001d499\U0001d4b3\U0001d4cd\U0001d4e7\U0001d501\U0001d51b\U0001d535\U0001d54f\U0001d569"
        "\U0001d583\U0001d59d\U0001d5b7\U0001d5d1\U0001d5eb\U0001d605\U0001d61f\U0001d639\U0001d653\U0001d66d"
        "\U0001d687\U0001d6a1\U0001f147"
    ),
    "y": (
        "Y\u02b8\u24ce\u24e8\uff39\uff59\U0001ccee\U0001d418\U0001d432\U0001d44c\U0001d466\U0001d480\U0001d49a"
        "\U0001d4b4\U0001d4ce\U0001d4e8\U0001d502\U0001d51c\U0001d536\U0001d550\U0001d56a\U0001d584\U0001d59e"
        "\U0001d5b8\U0001d5d2\U0001d5ec\U0001d606\U0001d620\U0001d63a\U0001d654\U0001d66e\U0001d688\U0001d6a2"
        "\U0001f148"
    ),
    "z": (
        "Z\u1dbb\u2124\u2128\u24cf\u24e9\uff3a\uff5a\U0001ccef\U0001d419\U0001d433\U0001d44d\U0001d467"
        "\U0001d481\U0001d49b\U0001d4b5\U0001d4cf\U0001d4e9\U0001d503\U0001d537\U0001d56b\U0001d585\U0001d59f"
        "\U0001d5b9\U0001d5d3\U0001d5ed\U0001d607\U0001d621\U0001d63b\U0001d655\U0001d66f\U0001d689\U0001d6a3"
        "\U0001f149"
    ),
    "{": "\ufe37\ufe5b\uff5b",
    "|": "\uff5c",
    "}": "\ufe38\ufe5c\uff5d",
    "~": "\uff5e",
}

# The same for characters that become several.
FOLD_TO_MANY: dict[str, str] = {
    " \u0301": (
        "\xa8\xaf\xb4\xb8\u02d8\u02d9\u02da\u02db\u02dc\u02dd\u037a\u0384\u0385\u1fbd\u1fbf\u1fc0\u1fc1\u1fcd"
        "\u1fce\u1fcf\u1fdd\u1fde\u1fdf\u1fed\u1fee\u1ffd\u1ffe\u2017\u203e\u309b\u309c\ufc5e\ufc5f\ufc60\ufc61"
        "\ufc62\ufc63\ufe49\ufe4a\ufe4b\ufe4c\ufe70\ufe72\ufe74\ufe76\ufe78\ufe7a\ufe7c\ufe7e\uffe3"
    ),
    "!!": "\u203c",
    "!?": "\u2049",
    "(1)": "\u2474",
    "(10)": "\u247d",
    "(11)": "\u247e",
    "(12)": "\u247f",
    "(13)": "\u2480",
    "(14)": "\u2481",
    "(15)": "\u2482",
    "(16)": "\u2483",
    "(17)": "\u2484",
    "(18)": "\u2485",
    "(19)": "\u2486",
    "(2)": "\u2475",
    "(20)": "\u2487",
    "(3)": "\u2476",
    "(4)": "\u2477",
    "(5)": "\u2478",
    "(6)": "\u2479",
    "(7)": "\u247a",
    "(8)": "\u247b",
    "(9)": "\u247c",
    "(a)": "\u249c\U0001f110",
    "(b)": "\u249d\U0001f111",
    "(c)": "\u249e\U0001f112",
    "(d)": "\u249f\U0001f113",
    "(e)": "\u24a0\U0001f114",
    "(f)": "\u24a1\U0001f115",
    "(g)": "\u24a2\U0001f116",
    "(h)": "\u24a3\U0001f117",
    "(i)": "\u24a4\U0001f118",
    "(j)": "\u24a5\U0001f119",
    "(k)": "\u24a6\U0001f11a",
    "(l)": "\u24a7\U0001f11b",
    "(m)": "\u24a8\U0001f11c",
    "(n)": "\u24a9\U0001f11d",
    "(o)": "\u24aa\U0001f11e",
    "(p)": "\u24ab\U0001f11f",
    "(q)": "\u24ac\U0001f120",
    "(r)": "\u24ad\U0001f121",
    "(s)": "\u24ae\U0001f122",
    "(t)": "\u24af\U0001f123",
    "(u)": "\u24b0\U0001f124",
    "(v)": "\u24b1\U0001f125",
    "(w)": "\u24b2\U0001f126",
    "(x)": "\u24b3\U0001f127",
    "(y)": "\u24b4\U0001f128",
    "(z)": "\u24b5\U0001f129",
    "(\u1100)": "\u3200",
    "(\u1100\u1161)": "\u320e",
    "(\u1102)": "\u3201",
    "(\u1102\u1161)": "\u320f",
    "(\u1103)": "\u3202",
    "(\u1103\u1161)": "\u3210",
    "(\u1105)": "\u3203",
    "(\u1105\u1161)": "\u3211",
    "(\u1106)": "\u3204",
    "(\u1106\u1161)": "\u3212",
    "(\u1107)": "\u3205",
    "(\u1107\u1161)": "\u3213",
    "(\u1109)": "\u3206",
    "(\u1109\u1161)": "\u3214",
    "(\u110b)": "\u3207",
    "(\u110b\u1161)": "\u3215",
    "(\u110b\u1169\u110c\u1165\u11ab)": "\u321d",
    "(\u110b\u1169\u1112\u116e)": "\u321e",
    "(\u110c)": "\u3208",
    "(\u110c\u1161)": "\u3216",
    "(\u110c\u116e)": "\u321c",
    "(\u110e)": "\u3209",
    "(\u110e\u1161)": "\u3217",
    "(\u110f)": "\u320a",
    "(\u110f\u1161)": "\u3218",
    "(\u1110)": "\u320b",
    "(\u1110\u1161)": "\u3219",
    "(\u1111)": "\u320c",
    "(\u1111\u1161)": "\u321a",
    "(\u1112)": "\u320d",
    "(\u1112\u1161)": "\u321b",
    "(\u4e00)": "\u3220",
    "(\u4e03)": "\u3226",
    "(\u4e09)": "\u3222",
    "(\u4e5d)": "\u3228",
    "(\u4e8c)": "\u3221",
    "(\u4e94)": "\u3224",
    "(\u4ee3)": "\u3239",
    "(\u4f01)": "\u323d",
    "(\u4f11)": "\u3241",
    "(\u516b)": "\u3227",
    "(\u516d)": "\u3225",
    "(\u52b4)": "\u3238",
    "(\u5341)": "\u3229",
    "(\u5354)": "\u323f",
    "(\u540d)": "\u3234",
    "(\u547c)": "\u323a",
    "(\u56db)": "\u3223",
    "(\u571f)": "\u322f",
    "(\u5b66)": "\u323b",
    "(\u65e5)": "\u3230",
    "(\u6708)": "\u322a",
    "(\u6709)": "\u3232",
    "(\u6728)": "\u322d",
    "(\u682a)": "\u3231",
    "(\u6c34)": "\u322c",
    "(\u706b)": "\u322b",
    "(\u7279)": "\u3235",
    "(\u76e3)": "\u323c",
    "(\u793e)": "\u3233",
    "(\u795d)": "\u3237",
    "(\u796d)": "\u3240",
    "(\u81ea)": "\u3242",
    "(\u81f3)": "\u3243",
    "(\u8ca1)": "\u3236",
    "(\u8cc7)": "\u323e",
    "(\u91d1)": "\u322e",
    "..": "\u2025\ufe30",
    "...": "\u2026\ufe19",
    "0,": "\U0001f101",
    "0.": "\U0001f100",
    "0\u20443": "\u2189",
    "0\u70b9": "\u3358",
    "1,": "\U0001f102",
    "1.": "\u2488",
    "10": "\u2469",
    "10.": "\u2491",
    "10\u65e5": "\u33e9",
    "10\u6708": "\u32c9",
    "10\u70b9": "\u3362",
    "11": "\u246a",
    "11.": "\u2492",
    "11\u65e5": "\u33ea",
    "11\u6708": "\u32ca",
    "11\u70b9": "\u3363",
    "12": "\u246b",
    "12.": "\u2493",
    "12\u65e5": "\u33eb",
    "12\u6708": "\u32cb",
    "12\u70b9": "\u3364",
    "13": "\u246c",
    "13.": "\u2494",
    "13\u65e5": "\u33ec",
    "13\u70b9": "\u3365",
    "14": "\u246d",
    "14.": "\u2495",
    "14\u65e5": "\u33ed",
    "14\u70b9": "\u3366",
    "15": "\u246e",
    "15.": "\u2496",
    "15\u65e5": "\u33ee",
    "15\u70b9": "\u3367",
    "16": "\u246f",
    "16.": "\u2497",
    "16\u65e5": "\u33ef",
    "16\u70b9": "\u3368",
    "17": "\u2470",
    "17.": "\u2498",
    "17\u65e5": "\u33f0",
    "17\u70b9": "\u3369",
    "18": "\u2471",
    "18.": "\u2499",
    "18\u65e5": "\u33f1",
    "18\u70b9": "\u336a",
    "19": "\u2472",
    "19.": "\u249a",
    "19\u65e5": "\u33f2",
    "19\u70b9": "\u336b",
    "1\u2044": "\u215f",
    "1\u204410": "\u2152",
    "1\u20442": "\xbd",
    "1\u20443": "\u2153",
    "1\u20444": "\xbc",
    "1\u20445": "\u2155",
    "1\u20446": "\u2159",
    "1\u20447": "\u2150",
    "1\u20448": "\u215b",
    "1\u20449": "\u2151",
    "1\u65e5": "\u33e0",
    "1\u6708": "\u32c0",
    "1\u70b9": "\u3359",
    "2,": "\U0001f103",
    "2.": "\u2489",
    "20": "\u2473",
    "20.": "\u249b",
    "20\u65e5": "\u33f3",
    "20\u70b9": "\u336c",
    "21": "\u3251",
    "21\u65e5": "\u33f4",
    "21\u70b9": "\u336d",
    "22": "\u3252",
    "22\u65e5": "\u33f5",
    "22\u70b9": "\u336e",
    "23": "\u3253",
    "23\u65e5": "\u33f6",
    "23\u70b9": "\u336f",
    "24": "\u3254",
    "24\u65e5": "\u33f7",
    "24\u70b9": "\u3370",
    "25": "\u3255",
    "25\u65e5": "\u33f8",
    "26": "\u3256",
    "26\u65e5": "\u33f9",
    "27": "\u3257",
    "27\u65e5": "\u33fa",
    "28": "\u3258",
    "28\u65e5": "\u33fb",
    "29": "\u3259",
    "29\u65e5": "\u33fc",
    "2\u20443": "\u2154",
    "2\u20445": "\u2156",
    "2\u65e5": "\u33e1",
    "2\u6708": "\u32c1",
    "2\u70b9": "\u335a",
    "3,": "\U0001f104",
    "3.": "\u248a",
    "30": "\u325a",
    "30\u65e5": "\u33fd",
    "31": "\u325b",
    "31\u65e5": "\u33fe",
    "32": "\u325c",
    "33": "\u325d",
    "34": "\u325e",
    "35": "\u325f",
    "36": "\u32b1",
    "37": "\u32b2",
    "38": "\u32b3",
    "39": "\u32b4",
    "3\u20444": "\xbe",
    "3\u20445": "\u2157",
    "3\u20448": "\u215c",
    "3\u65e5": "\u33e2",
    "3\u6708": "\u32c2",
    "3\u70b9": "\u335b",
    "4,": "\U0001f105",
    "4.": "\u248b",
    "40": "\u32b5",
    "41": "\u32b6",
    "42": "\u32b7",
    "43": "\u32b8",
    "44": "\u32b9",
    "45": "\u32ba",
    "46": "\u32bb",
    "47": "\u32bc",
    "48": "\u32bd",
    "49": "\u32be",
    "4\u20445": "\u2158",
    "4\u65e5": "\u33e3",
    "4\u6708": "\u32c3",
    "4\u70b9": "\u335c",
    "5,": "\U0001f106",
    "5.": "\u248c",
    "50": "\u32bf",
    "5\u20446": "\u215a",
    "5\u20448": "\u215d",
    "5\u65e5": "\u33e4",
    "5\u6708": "\u32c4",
    "5\u70b9": "\u335d",
    "6,": "\U0001f107",
    "6.": "\u248d",
    "6\u65e5": "\u33e5",
    "6\u6708": "\u32c5",
    "6\u70b9": "\u335e",
    "7,": "\U0001f108",
    "7.": "\u248e",
    "7\u20448": "\u215e",
    "7\u65e5": "\u33e6",
    "7\u6708": "\u32c6",
    "7\u70b9": "\u335f",
    "8,": "\U0001f109",
    "8.": "\u248f",
    "8\u65e5": "\u33e7",
    "8\u6708": "\u32c7",
    "8\u70b9": "\u3360",
    "9,": "\U0001f10a",
    "9.": "\u2490",
    "9\u65e5": "\u33e8",
    "9\u6708": "\u32c8",
    "9\u70b9": "\u3361",
    "::=": "\u2a74",
    "==": "\u2a75",
    "===": "\u2a76",
    "=\u0301": "\u2260",
    "?!": "\u2048",
    "??": "\u2047",
    "[s]": "\U0001f12a",
    "[\u4e09]": "\U0001f241",
    "[\u4e8c]": "\U0001f242",
    "[\u52dd]": "\U0001f247",
    "[\u5b89]": "\U0001f243",
    "[\u6253]": "\U0001f245",
    "[\u6557]": "\U0001f248",
    "[\u672c]": "\U0001f240",
    "[\u70b9]": "\U0001f244",
    "[\u76d7]": "\U0001f246",
    "a.m.": "\u33c2",
    "a/c": "\u2100",
    "a/s": "\u2101",
    "au": "\u3373",
    "a\u02be": "\u1e9a",
    "a\u0301": (
        "\xc0\xc1\xc2\xc3\xc4\xc5\xe0\xe1\xe2\xe3\xe4\xe5\u0100\u0101\u0102\u0103\u0104\u0105\u01cd\u01ce\u01de"
        "\u01df\u01e0\u01e1\u01fa\u01fb\u0200\u0201\u0202\u0203\u0226\u0227\u1e00\u1e01\u1ea0\u1ea1\u1ea2\u1ea3"
        "\u1ea4\u1ea5\u1ea6\u1ea7\u1ea8\u1ea9\u1eaa\u1eab\u1eac\u1ead\u1eae\u1eaf\u1eb0\u1eb1\u1eb2\u1eb3\u1eb4"
        "\u1eb5\u1eb6\u1eb7\u212b"
    ),
    "a\u2215m": "\u33df",
    "bar": "\u3374",
    "bq": "\u33c3",
    "b\u0301": "\u1e02\u1e03\u1e04\u1e05\u1e06\u1e07",
    "c/o": "\u2105",
    "c/u": "\u2106",
    "cal": "\u3388",
    "cc": "\u33c4",
    "cd": "\u33c5\U0001f12d",
    "cm": "\u339d",
    "cm2": "\u33a0",
    "cm3": "\u33a4",
    "co.": "\u33c7",
    "c\u0301": "\xc7\xe7\u0106\u0107\u0108\u0109\u010a\u010b\u010c\u010d\u1e08\u1e09",
    "c\u2215kg": "\u33c6",
    "da": "\u3372",
    "db": "\u33c8",
    "dj": "\U0001f190",
    "dl": "\u3397",
    "dm": "\u3377",
    "dm2": "\u3378",
    "dm3": "\u3379",
    "dz": "\u01f1\u01f2\u01f3",
    "dz\u030c": "\u01c4\u01c5\u01c6",
    "d\u0301": "\u010e\u010f\u1e0a\u1e0b\u1e0c\u1e0d\u1e0e\u1e0f\u1e10\u1e11\u1e12\u1e13",
    "erg": "\u32cd",
    "ev": "\u32ce",
    "e\u0301": (
        "\xc8\xc9\xca\xcb\xe8\xe9\xea\xeb\u0112\u0113\u0114\u0115\u0116\u0117\u0118\u0119\u011a\u011b\u0204"
        "\u0205\u0206\u0207\u0228\u0229\u1e14\u1e15\u1e16\u1e17\u1e18\u1e19\u1e1a\u1e1b\u1e1c\u1e1d\u1eb8\u1eb9"
        "\u1eba\u1ebb\u1ebc\u1ebd\u1ebe\u1ebf\u1ec0\u1ec1\u1ec2\u1ec3\u1ec4\u1ec5\u1ec6\u1ec7"
    ),
    "fax": "\u213b",
    "ff": "\ufb00",
    "ffi": "\ufb03",
    "ffl": "\ufb04",
    "fi": "\ufb01",
    "fl": "\ufb02",
    "fm": "\u3399",
    "f\u0301": "\u1e1e\u1e1f",
    "gal": "\u33ff",
    "gb": "\u3387",
    "ghz": "\u3393",
    "gpa": "\u33ac",
    "gy": "\u33c9",
    "g\u0301": "\u011c\u011d\u011e\u011f\u0120\u0121\u0122\u0123\u01e6\u01e7\u01f4\u01f5\u1e20\u1e21",
    "ha": "\u33ca",
    "hg": "\u32cc",
    "hp": "\u33cb",
    "hpa": "\u3371",
    "hv": "\U0001f14a",
    "hz": "\u3390",
    "h\u0301": "\u0124\u0125\u021e\u021f\u1e22\u1e23\u1e24\u1e25\u1e26\u1e27\u1e28\u1e29\u1e2a\u1e2b\u1e96",
    "ii": "\u2161\u2171",
    "iii": "\u2162\u2172",
    "ij": "\u0132\u0133",
    "in": "\u33cc",
    "iu": "\u337a",
    "iv": "\u2163\u2173",
    "ix": "\u2168\u2178",
    "i\u0301": (
        "\xcc\xcd\xce\xcf\xec\xed\xee\xef\u0128\u0129\u012a\u012b\u012c\u012d\u012e\u012f\u0130\u01cf\u01d0"
        "\u0208\u0209\u020a\u020b\u1e2c\u1e2d\u1e2e\u1e2f\u1ec8\u1ec9\u1eca\u1ecb"
    ),
    "j\u0301": "\u0134\u0135\u01f0",
    "ka": "\u3384",
    "kb": "\u3385",
    "kcal": "\u3389",
    "kg": "\u338f",
    "khz": "\u3391",
    "kk": "\u33cd",
    "kl": "\u3398",
    "km": "\u339e\u33ce",
    "km2": "\u33a2",
    "km3": "\u33a6",
    "kpa": "\u33aa",
    "kt": "\u33cf",
    "kv": "\u33b8",
    "kw": "\u33be",
    "k\u0301": "\u0136\u0137\u01e8\u01e9\u1e30\u1e31\u1e32\u1e33\u1e34\u1e35",
    "k\u03c9": "\u33c0",
    "lj": "\u01c7\u01c8\u01c9",
    "lm": "\u33d0",
    "ln": "\u33d1",
    "log": "\u33d2",
    "ltd": "\u32cf",
    "lx": "\u33d3",
    "l\xb7": "\u013f\u0140",
    "l\u0301": "\u0139\u013a\u013b\u013c\u013d\u013e\u1e36\u1e37\u1e38\u1e39\u1e3a\u1e3b\u1e3c\u1e3d",
    "m2": "\u33a1",
    "m3": "\u33a5",
    "ma": "\u3383",
    "mb": "\u3386\u33d4",
    "mc": "\U0001f16a",
    "md": "\U0001f16b",
    "mg": "\u338e",
    "mhz": "\u3392",
    "mil": "\u33d5",
    "ml": "\u3396",
    "mm": "\u339c",
    "mm2": "\u339f",
    "mm3": "\u33a3",
    "mol": "\u33d6",
    "mpa": "\u33ab",
    "mr": "\U0001f16c",
    "ms": "\u33b3",
    "mv": "\u33b7\u33b9\U0001f14b",
    "mw": "\u33bd\u33bf",
    "m\u0301": "\u1e3e\u1e3f\u1e40\u1e41\u1e42\u1e43",
    "m\u03c9": "\u33c1",
    "m\u2215s": "\u33a7",
    "m\u2215s2": "\u33a8",
    "na": "\u3381",
    "nf": "\u338b",
    "nj": "\u01ca\u01cb\u01cc",
    "nm": "\u339a",
    "no": "\u2116",
    "ns": "\u33b1",
    "nv": "\u33b5",
    "nw": "\u33bb",
    "n\u0301": (
        "\xd1\xf1\u0143\u0144\u0145\u0146\u0147\u0148\u01f8\u01f9\u1e44\u1e45\u1e46\u1e47\u1e48\u1e49\u1e4a"
        "\u1e4b"
    ),
    "ov": "\u3375",
    "o\u0301": (
        "\xd2\xd3\xd4\xd5\xd6\xf2\xf3\xf4\xf5\xf6\u014c\u014d\u014e\u014f\u0150\u0151\u01a0\u01a1\u01d1\u01d2"
        "\u01ea\u01eb\u01ec\u01ed\u020c\u020d\u020e\u020f\u022a\u022b\u022c\u022d\u022e\u022f\u0230\u0231\u1e4c"
        "\u1e4d\u1e4e\u1e4f\u1e50\u1e51\u1e52\u1e53\u1ecc\u1ecd\u1ece\u1ecf\u1ed0\u1ed1\u1ed2\u1ed3\u1ed4\u1ed5"
        "\u1ed6\u1ed7\u1ed8\u1ed9\u1eda\u1edb\u1edc\u1edd\u1ede\u1edf\u1ee0\u1ee1\u1ee2\u1ee3"
    ),
    "p.m.": "\u33d8",
    "pa": "\u3380\u33a9",
    "pc": "\u3376",
    "pf": "\u338a",
    "ph": "\u33d7",
    "ppm": "\u33d9",
    "ppv": "\U0001f14e",
    "pr": "\u33da",
    "ps": "\u33b0",
    "pte": "\u3250",
    "pv": "\u33b4",
    "pw": "\u33ba",
    "p\u0301": "\u1e54\u1e55\u1e56\u1e57",
    "rad": "\u33ad",
    "rad\u2215s": "\u33ae",
    "rad\u2215s2": "\u33af",
    "rs": "\u20a8",
    "r\u0301": (
        "\u0154\u0155\u0156\u0157\u0158\u0159\u0210\u0211\u0212\u0213\u1e58\u1e59\u1e5a\u1e5b\u1e5c\u1e5d\u1e5e"
        "\u1e5f"
    ),
    "sd": "\U0001f14c",
    "sm": "\u2120",
    "sr": "\u33db",
    "ss": "\xdf\u1e9e\U0001f14d",
    "st": "\ufb05\ufb06",
    "sv": "\u33dc",
    "s\u0301": (
        "\u015a\u015b\u015c\u015d\u015e\u015f\u0160\u0161\u0218\u0219\u1e60\u1e61\u1e62\u1e63\u1e64\u1e65\u1e66"
        "\u1e67\u1e68\u1e69\u1e9b"
    ),
    "tel": "\u2121",
    "thz": "\u3394",
    "tm": "\u2122",
    "t\u0301": "\u0162\u0163\u0164\u0165\u021a\u021b\u1e6a\u1e6b\u1e6c\u1e6d\u1e6e\u1e6f\u1e70\u1e71\u1e97",
    "u\u0301": (
        "\xd9\xda\xdb\xdc\xf9\xfa\xfb\xfc\u0168\u0169\u016a\u016b\u016c\u016d\u016e\u016f\u0170\u0171\u0172"
        "\u0173\u01af\u01b0\u01d3\u01d4\u01d5\u01d6\u01d7\u01d8\u01d9\u01da\u01db\u01dc\u0214\u0215\u0216\u0217"
        "\u1e72\u1e73\u1e74\u1e75\u1e76\u1e77\u1e78\u1e79\u1e7a\u1e7b\u1ee4\u1ee5\u1ee6\u1ee7\u1ee8\u1ee9\u1eea"
        "\u1eeb\u1eec\u1eed\u1eee\u1eef\u1ef0\u1ef1"
    ),
    "vi": "\u2165\u2175",
    "vii": "\u2166\u2176",
    "viii": "\u2167\u2177",
    "v\u0301": "\u1e7c\u1e7d\u1e7e\u1e7f",
    "v\u2215m": "\u33de",
    "wb": "\u33dd",
    "wc": "\U0001f14f",
    "wz": "\U0001f12e",
    "w\u0301": "\u0174\u0175\u1e80\u1e81\u1e82\u1e83\u1e84\u1e85\u1e86\u1e87\u1e88\u1e89\u1e98",
    "xi": "\u216a\u217a",
    "xii": "\u216b\u217b",
    "x\u0301": "\u1e8a\u1e8b\u1e8c\u1e8d",
    "y\u0301": (
        "\xdd\xfd\xff\u0176\u0177\u0178\u0232\u0233\u1e8e\u1e8f\u1e99\u1ef2\u1ef3\u1ef4\u1ef5\u1ef6\u1ef7\u1ef8"
        "\u1ef9"
    ),
    "z\u0301": "\u0179\u017a\u017b\u017c\u017d\u017e\u1e90\u1e91\u1e92\u1e93\u1e94\u1e95",
    "\xb0c": "\u2103",
    "\xb0f": "\u2109",
    "\u02bcn": "\u0149",
    "\u0395\u0301": "\u0388\u1f18\u1f19\u1f1a\u1f1b\u1f1c\u1f1d\u1fc8\u1fc9",
    "\u03b1\u0301": (
        "\u0386\u03ac\u1f00\u1f01\u1f02\u1f03\u1f04\u1f05\u1f06\u1f07\u1f08\u1f09\u1f0a\u1f0b\u1f0c\u1f0d\u1f0e"
        "\u1f0f\u1f70\u1f71\u1f80\u1f81\u1f82\u1f83\u1f84\u1f85\u1f86\u1f87\u1f88\u1f89\u1f8a\u1f8b\u1f8c\u1f8d"
        "\u1f8e\u1f8f\u1fb0\u1fb1\u1fb2\u1fb3\u1fb4\u1fb6\u1fb7\u1fb8\u1fb9\u1fba\u1fbb\u1fbc"
    ),
    "\u03bca": "\u3382",
    "\u03bcf": "\u338c",
    "\u03bcg": "\u338d",
    "\u03bcl": "\u3395",
    "\u03bcm": "\u339b",
    "\u03bcs": "\u33b2",
    "\u03bcv": "\u33b6",
    "\u03bcw": "\u33bc",
    "\u03c5\u0301": (
        "\u038e\u03ab\u03b0\u03cb\u03cd\u03d3\u03d4\u1f50\u1f51\u1f52\u1f53\u1f54\u1f55\u1f56\u1f57\u1f59\u1f5b"
        "\u1f5d\u1f5f\u1f7a\u1f7b\u1fe0\u1fe1\u1fe2\u1fe3\u1fe6\u1fe7\u1fe8\u1fe9\u1fea\u1feb"
    ),
    "\u0430\u0301": "\u04d0\u04d1\u04d2\u04d3",
    "\u0433\u0301": "\u0403\u0453",
    "\u0435\u0301": "\u0400\u0401\u0450\u0451\u04d6\u04d7",
    "\u062c\u0644 \u062c\u0644\u0627\u0644\u0647": "\ufdfb",
    "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064a\u0647 \u0648\u0633\u0644\u0645": "\ufdfa",
    "\u3099": "\uff9e",
    "\u309a": "\uff9f",
}
