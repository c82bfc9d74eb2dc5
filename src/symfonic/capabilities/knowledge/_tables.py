"""Character tables of the knowledge capability's text hygiene.

Generated from the Unicode 17.0.0 data files by scripts/generate_unicode_tables.py. Do not edit:
run `python scripts/generate_unicode_tables.py DIRECTORY` again, and `--check` to see that nothing differs.
Strings named as character sets are the inside of a regular-expression class.

SHA-256 of what follows: 760b80821e6034470b93882319b67e560ae82d45856da17f09d13a2c938c30db
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

# What a label keeps without a second look.
LABEL_ORDINARY = (
    " -%'-;=?-Z\\\\\\^-~\xa1-\xac\xae-\u02c1\u02c4-\u02ff\u0370-\u0482\u048a-\u0590\u05be\u05c0\u05c3\u05c6"
    "\u05c8-\u060f\u061b\u061d-\u064a\u0660-\u066f\u0671-\u06d5\u06dd\u06de\u06e5\u06e6\u06e9\u06ee-\u0710"
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
    "\u1439-\u167f\u1681-\u16b1\u16b3-\u1711\u1716-\u1731\u1735-\u1751\u1754-\u1771\u1774-\u17b3\u17d4-\u17dc"
    "\u17de-\u180a\u1810-\u1884\u1887-\u18a8\u18aa-\u191f\u192c-\u192f\u193c-\u1a16\u1a1c-\u1a54\u1a5f"
    "\u1a7d\u1a7e\u1a80-\u1aaf\u1ade\u1adf\u1aec-\u1aff\u1b05-\u1b33\u1b45-\u1b6a\u1b74-\u1b7f\u1b83-\u1ba0"
    "\u1bae-\u1be5\u1bf4-\u1c23\u1c38-\u1ccf\u1cd3\u1ce9-\u1cec\u1cee-\u1cf3\u1cf5\u1cf6\u1cfa-\u1dbf"
    "\u1e00-\u1fff\u2010-\u2027\u2030-\u2038\u203b-\u2044\u2047-\u205e\u2070-\u20cf\u20f1-\u226d\u2270-\u2307"
    "\u230c-\u2328\u232b-\u276d\u2770\u2771\u2774-\u27e5\u27ea\u27eb\u27ee-\u27ff\u2801-\u298a\u2991-\u2996"
    "\u2999-\u2cee\u2cf2-\u2d7e\u2d80-\u2ddf\u2e00-\u2e21\u2e26-\u2e54\u2e59-\u2fff\u3001-\u3007\u300a-\u300f"
    "\u3012\u3013\u301c-\u3029\u3030-\u3098\u309b-\u3163\u3165-\ua66e\ua673\ua67e-\ua69d\ua6a0-\ua6ef"
    "\ua6f2-\ua801\ua803-\ua805\ua807-\ua80a\ua80c-\ua822\ua828-\ua82b\ua82d-\ua87f\ua882-\ua8b3\ua8c6-\ua8df"
    "\ua8f2-\ua8fe\ua900-\ua925\ua92e-\ua946\ua954-\ua97f\ua984-\ua9b2\ua9c1-\ua9e4\ua9e6-\uaa28\uaa37-\uaa42"
    "\uaa44-\uaa4b\uaa4e-\uaa7a\uaa7e-\uaaaf\uaab1\uaab5\uaab6\uaab9-\uaabd\uaac0\uaac2-\uaaea\uaaf0-\uaaf4"
    "\uaaf7-\uabe2\uabeb\uabee-\ud7ff\uf900-\ufb1d\ufb1f-\ufdcf\ufdf0-\ufdff\ufe10-\ufe16\ufe19-\ufe1f"
    "\ufe30-\ufe38\ufe3d\ufe3e\ufe41-\ufe46\ufe49-\ufe5c\ufe5f\ufe61-\ufe63\ufe66-\ufefe\uff00-\uff05"
    "\uff07-\uff1b\uff1d\uff1f-\uff3a\uff3c\uff3e-\uff9f\uffa1-\uffef\ufffd\U0001f000-\U0001f129"
    "\U0001f12b-\U0001f23f\U0001f249-\U0001faff\U00020000-\U0002fffd"
)

# Surrogates.
SURROGATES = (
    "\ud800-\udfff"
)

# UTS #39: letter to what looks like it in some form.
LOOKALIKES: dict[str, str] = {
    "s": (
        "\u01bc\u01bd\u0405\u0455\u054f\u0d1f\u13d5\u13da\ua4e2\ua731\uaba5\uabaa\U00010296\U00010420\U00010448"
        "\U000118a1\U000118c1\U00016f3a\U0001e069\U0001f162\U0001f182\U0001f1f8"
    ),
    "o": (
        "0\u039f\u03a3\u03bf\u03c2\u03c3\u03ec\u03ed\u03f2\u03f9\u041e\u043e\u0555\u0585\u05e1\u0647\u0665"
        "\u06be\u06c1\u06d5\u06f5\u07c0\u0966\u09e6\u0a66\u0ae6\u0b20\u0b66\u0be6\u0c02\u0c66\u0c82\u0ce6\u0d02"
        "\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff\u12d0\u17e0\u1c82\u1cbf\u1d0f\u1d11\u2070\u2080\u24ea"
        "\u2c9e\u2c9f\u2d54\u3007\ua4f3\uab3d\ufba6-\ufbad\ufee9-\ufeec\uff10\U00010292\U000102ab\U00010404"
        "\U0001042c\U000104c2\U000104ea\U00010516\U000114d0\U000118a8\U000118b5\U000118b7\U000118c8\U000118d7"
        "\U000118e0\U00011de0\U0001ccf0\U0001d6b6\U0001d6ba\U0001d6d0\U0001d6d3\U0001d6d4\U0001d6f0\U0001d6f4"
        "\U0001d70a\U0001d70d\U0001d70e\U0001d72a\U0001d72e\U0001d744\U0001d747\U0001d748\U0001d764\U0001d768"
        "\U0001d77e\U0001d781\U0001d782\U0001d79e\U0001d7a2\U0001d7b8\U0001d7bb\U0001d7bc\U0001d7ce\U0001d7d8"
        "\U0001d7e2\U0001d7ec\U0001d7f6\U0001e03c\U0001e05c\U0001ee24\U0001ee64\U0001ee84\U0001f15e\U0001f17e"
        "\U0001f1f4\U0001fbf0"
    ),
    "u": (
        "\u01b2\u028b\u03a5\u03c5\u03d2\u054d\u057d\u1200\u144c\u1d1c\u1db8\u1db9\u222a\u22c3\ua4f4\ua79e\ua79f"
        "\uab4e\uab52\uab5f\U000104ce\U000104f6\U000118b8\U000118d8\U00016f42\U0001d6bc\U0001d6d6\U0001d6f6"
        "\U0001d710\U0001d730\U0001d74a\U0001d76a\U0001d784\U0001d7a4\U0001d7be\U0001f164\U0001f184\U0001f1fa"
    ),
    "r": (
        "\u01a6\u0280\u0413\u0433\u13a1\u13d2\u1587\u1d26\u2c84\u2c85\ua4e3\uab47\uab48\uab71\uab81\uaba2"
        "\U000104b4\U000107aa\U00016f35\U0001d216\U0001e033\U0001e054\U0001f161\U0001f181\U0001f1f7"
    ),
    "c": (
        "\u03f2\u03f9\u0421\u0441\u1004\u105a\u13df\u1c83\u1d04\u2ca4\u2ca5\ua4da\uabaf\U000102a2\U00010302"
        "\U00010415\U0001043d\U0001051c\U000118e9\U000118f2\U0001e03f\U0001e05e\U0001f152\U0001f172\U0001f1e8"
        "\U0001f74c"
    ),
    "e": (
        "\u0395\u0415\u0435\u04bc\u04bd\u13ac\u1d07\u212e\u22ff\u2d39\ua4f0\uab32\uab7c\U00010286\U000118a6"
        "\U000118ae\U0001d6ac\U0001d6e6\U0001d720\U0001d75a\U0001d794\U0001e035\U0001e056\U0001f154\U0001f174"
        "\U0001f1ea"
    ),
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
    "\u03bca": "\u3382",
    "\u03bcf": "\u338c",
    "\u03bcg": "\u338d",
    "\u03bcl": "\u3395",
    "\u03bcm": "\u339b",
    "\u03bcs": "\u33b2",
    "\u03bcv": "\u33b6",
    "\u03bcw": "\u33bc",
    "\u03bf\u0301": (
        "\u038c\u03cc\u1f40\u1f41\u1f42\u1f43\u1f44\u1f45\u1f48\u1f49\u1f4a\u1f4b\u1f4c\u1f4d\u1f78\u1f79\u1ff8"
        "\u1ff9"
    ),
    "\u03c5\u0301": (
        "\u038e\u03ab\u03b0\u03cb\u03cd\u03d3\u03d4\u1f50\u1f51\u1f52\u1f53\u1f54\u1f55\u1f56\u1f57\u1f59\u1f5b"
        "\u1f5d\u1f5f\u1f7a\u1f7b\u1fe0\u1fe1\u1fe2\u1fe3\u1fe6\u1fe7\u1fe8\u1fe9\u1fea\u1feb"
    ),
    "\u0433\u0301": "\u0403\u0453",
    "\u0435\u0301": "\u0400\u0401\u0450\u0451\u04d6\u04d7",
    "\u043e\u0301": "\u04e6\u04e7",
    "\u05e1\u0301": "\ufb41",
    "\u0627\u0644\u0644\u0647": "\ufdf2",
    "\u0628\u0647": "\ufca0\ufce2",
    "\u062a\u0647": "\ufca5\ufce4",
    "\u062b\u0647": "\ufce6",
    "\u062c\u0644 \u062c\u0644\u0627\u0644\u0647": "\ufdfb",
    "\u0633\u0647": "\ufce8\ufd31",
    "\u0634\u0647": "\ufcea\ufd32",
    "\u0635\u0644\u0649 \u0627\u0644\u0644\u0647 \u0639\u0644\u064a\u0647 \u0648\u0633\u0644\u0645": "\ufdfa",
    "\u0639\u0644\u064a\u0647": "\ufdf7",
    "\u0644\u0647": "\ufccd",
    "\u0646\u0647": "\ufcd6\ufcef",
    "\u0647\u0301": "\ufcd9",
    "\u0647\u062c": "\ufc51\ufcd7",
    "\u0647\u0645": "\ufc52\ufcd8",
    "\u0647\u0645\u062c": "\ufd93",
    "\u0647\u0645\u0645": "\ufd94",
    "\u0647\u0649": "\ufc53",
    "\u0647\u064a": "\ufc54",
    "\u064a\u0647": "\ufcde\ufcf1",
    "\u064a\u0654\u0647": "\ufc9b\ufce0",
    "\u064a\u0654\u06d5": "\ufbec\ufbed",
    "\u06c1\u0301": "\u06c2",
    "\u06d5\u0301": "\u06c0\ufba4\ufba5",
    "\u3099": "\uff9e",
    "\u309a": "\uff9f",
}

# What looks like a middle dot.
MIDDLE_DOTS = (
    "\xb7\u0387\u1427\u16eb\u2022\u2024\u2027\u2219\u22c5\u2e31\u2e33\u30fb\ua78f\uff65\U00010101"
)

# What looks like a tilde.
TILDES = (
    "~\u02dc\u02f7\u1fc0\u2053\u223c\u223d\u301c\uff5e"
)

# UTS #39, one prototype a line: the prototype, U+001F, the characters that look like it.
CONFUSABLES = (
    " \x1f\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f"
    "\n!\x1f\u01c3\u2d51\uff01\n!!\x1f\u203c\n!?\x1f\u2049\n$\u20e0\x1f\U0001f10f\n&\x1f\ua778\n'\x1f`\xb4"
    "\u02b9\u02bb\u02bc\u02bd\u02be\u02c8\u02ca\u02cb\u02f4\u0374\u0384\u055a\u055d\u05d9\u05f3\u07f4\u07f5"
    "\u144a\u16cc\u1fbd\u1fbf\u1fef\u1ffd\u1ffe\u2018\u2019\u201b\u2032\u2035\ua78c\uff07\uff40\U00016f51"
    "\U00016f52\n''\x1f\"\u02ba\u02dd\u02ee\u02f6\u05f2\u05f4\u1cd3\u201c\u201d\u201f\u2033\u2036\u3003\uff02\n"
    "'''\x1f\u2034\u2037\n''''\x1f\u2057\n'B\x1f\u0181\n'D\x1f\u018a\n'P\x1f\u01a4\n'T\x1f\u01ac\n'Y\x1f\u01b3"
    "\n'n\x1f\u0149\n(\x1f\u2768\u2772\u3014\ufd3e\uff3b\n((\x1f\u2e28\n(2)\x1f\u2475\n(2O)\x1f\u2487\n(3)\x1f"
    "\u2476\n(4)\x1f\u2477\n(5)\x1f\u2478\n(6)\x1f\u2479\n(7)\x1f\u247a\n(8)\x1f\u247b\n(9)\x1f\u247c\n(A)\x1f"
    "\U0001f110\n(B)\x1f\U0001f111\n(C)\x1f\U0001f112\n(D)\x1f\U0001f113\n(E)\x1f\U0001f114\n(F)\x1f\U0001f115"
    "\n(G)\x1f\U0001f116\n(H)\x1f\U0001f117\n(J)\x1f\U0001f119\n(K)\x1f\U0001f11a\n(L)\x1f\U0001f11b\n(M)\x1f"
    "\U0001f11c\n(N)\x1f\U0001f11d\n(O)\x1f\U0001f11e\n(P)\x1f\U0001f11f\n(Q)\x1f\U0001f120\n(R)\x1f\U0001f121"
    "\n(S)\x1f\U0001f122\U0001f12a\n(T)\x1f\U0001f123\n(U)\x1f\U0001f124\n(V)\x1f\U0001f125\n(W)\x1f\U0001f126"
    "\n(X)\x1f\U0001f127\n(Y)\x1f\U0001f128\n(Z)\x1f\U0001f129\n(a)\x1f\u249c\n(b)\x1f\u249d\n(c)\x1f\u249e\n(d"
    ")\x1f\u249f\n(e)\x1f\u24a0\n(f)\x1f\u24a1\n(g)\x1f\u24a2\n(h)\x1f\u24a3\n(i)\x1f\u24a4\n(j)\x1f\u24a5\n(k)"
    "\x1f\u24a6\n(l)\x1f\u2474\u24a7\U0001f118\n(l2)\x1f\u247f\n(l3)\x1f\u2480\n(l4)\x1f\u2481\n(l5)\x1f\u2482"
    "\n(l6)\x1f\u2483\n(l7)\x1f\u2484\n(l8)\x1f\u2485\n(l9)\x1f\u2486\n(lO)\x1f\u247d\n(ll)\x1f\u247e\n(n)\x1f"
    "\u24a9\n(o)\x1f\u24aa\n(p)\x1f\u24ab\n(q)\x1f\u24ac\n(r)\x1f\u24ad\n(rn)\x1f\u24a8\n(s)\x1f\u24ae\n(t)\x1f"
    "\u24af\n(u)\x1f\u24b0\n(v)\x1f\u24b1\n(w)\x1f\u24b2\n(x)\x1f\u24b3\n(y)\x1f\u24b4\n(z)\x1f\u24b5\n(\u1100)"
    "\x1f\u3200\n(\u1102)\x1f\u3201\n(\u1103)\x1f\u3202\n(\u1105)\x1f\u3203\n(\u1106)\x1f\u3204\n(\u1107)\x1f"
    "\u3205\n(\u1109)\x1f\u3206\n(\u110b)\x1f\u3207\n(\u110c)\x1f\u3208\n(\u110e)\x1f\u3209\n(\u110f)\x1f\u320a"
    "\n(\u1110)\x1f\u320b\n(\u1111)\x1f\u320c\n(\u1112)\x1f\u320d\n(\u30fc)\x1f\u3220\n(\u4e03)\x1f\u3226\n("
    "\u4e09)\x1f\u3222\U0001f241\n(\u4e5d)\x1f\u3228\n(\u4e8c)\x1f\u3221\U0001f242\n(\u4e94)\x1f\u3224\n(\u4ee3"
    ")\x1f\u3239\n(\u4f01)\x1f\u323d\n(\u4f11)\x1f\u3241\n(\u516b)\x1f\u3227\n(\u516d)\x1f\u3225\n(\u52b4)\x1f"
    "\u3238\n(\u52dd)\x1f\U0001f247\n(\u5341)\x1f\u3229\n(\u5354)\x1f\u323f\n(\u540d)\x1f\u3234\n(\u547c)\x1f"
    "\u323a\n(\u56db)\x1f\u3223\n(\u571f)\x1f\u322f\n(\u5b66)\x1f\u323b\n(\u5b89)\x1f\U0001f243\n(\u6253)\x1f"
    "\U0001f245\n(\u6557)\x1f\U0001f248\n(\u65e5)\x1f\u3230\n(\u6708)\x1f\u322a\n(\u6709)\x1f\u3232\n(\u6728)"
    "\x1f\u322d\n(\u672c)\x1f\U0001f240\n(\u682a)\x1f\u3231\n(\u6c34)\x1f\u322c\n(\u706b)\x1f\u322b\n(\u70b9)"
    "\x1f\U0001f244\n(\u7279)\x1f\u3235\n(\u76d7)\x1f\U0001f246\n(\u76e3)\x1f\u323c\n(\u793e)\x1f\u3233\n("
    "\u795d)\x1f\u3237\n(\u796d)\x1f\u3240\n(\u81ea)\x1f\u3242\n(\u81f3)\x1f\u3243\n(\u8ca1)\x1f\u3236\n(\u8cc7"
    ")\x1f\u323e\n(\u91d1)\x1f\u322e\n(\uac00)\x1f\u320e\n(\ub098)\x1f\u320f\n(\ub2e4)\x1f\u3210\n(\ub77c)\x1f"
    "\u3211\n(\ub9c8)\x1f\u3212\n(\ubc14)\x1f\u3213\n(\uc0ac)\x1f\u3214\n(\uc544)\x1f\u3215\n(\uc624\uc804)\x1f"
    "\u321d\n(\uc624\ud6c4)\x1f\u321e\n(\uc790)\x1f\u3216\n(\uc8fc)\x1f\u321c\n(\ucc28)\x1f\u3217\n(\uce74)\x1f"
    "\u3218\n(\ud0c0)\x1f\u3219\n(\ud30c)\x1f\u321a\n(\ud558)\x1f\u321b\n)\x1f\u2769\u2773\u3015\ufd3f\uff3d\n)"
    ")\x1f\u2e29\n*\x1f\u066d\u204e\u2217\U0001031f\n+\x1f\u16ed\u2795\U0001029b\U0001e6e9\n+\u0302\x1f\u2a23\n"
    "+\u0303\x1f\u2a24\n+\u0307\x1f\u2214\n+\u030a\x1f\u2a22\n+\u0323\x1f\u2a25\n+\u0330\x1f\u2a26\n+\u2082\x1f"
    "\u2a27\n,\x1f\xb8\u060d\u066b\u201a\ua4f9\n-\x1f\u02d7\u06d4\u2010\u2011\u2012\u2013\u2043\u2212\u2796"
    "\u2cba\u2cbb\ufe58\n-.\x1f\ua4fe\n-\u0307\x1f\u2238\u2cb2\u2cb3\ufb29\n-\u0308\x1f\u2e1a\n-\u0313\x1f"
    "\u2a29\n-\u0323\x1f\u2a2a\n.\x1f\u0660\u06f0\u0701\u0702\u2024\ua4f8\ua60e\U00010a50\U0001d16d\n.,\x1f"
    "\ua4fb\n..\x1f\u2025\ua4fa\n...\x1f\u2026\n/\x1f\u1735\u2041\u2044\u2215\u2571\u27cb\u29f8\u2cc6\u2cc7"
    "\u2f03\u3033\u30ce\u31d3\u4e3f\U0001d23a\n//\x1f\u2afd\n///\x1f\u2afb\n/\u0304\x1f\u29f6\n2\x1f\u01a7"
    "\u03e8\u14bf\ua644\ua6ef\ua75a\U0001ccf2\U0001d7d0\U0001d7da\U0001d7e4\U0001d7ee\U0001d7f8\U0001fbf2\n2,"
    "\x1f\U0001f103\n2.\x1f\u2489\n22\u65e5\x1f\u33f5\n22\u70b9\x1f\u336e\n23\u65e5\x1f\u33f6\n23\u70b9\x1f"
    "\u336f\n24\u65e5\x1f\u33f7\n24\u70b9\x1f\u3370\n25\u65e5\x1f\u33f8\n26\u65e5\x1f\u33f9\n27\u65e5\x1f\u33fa"
    "\n28\u65e5\x1f\u33fb\n29\u65e5\x1f\u33fc\n2O.\x1f\u249b\n2O\u65e5\x1f\u33f3\n2O\u70b9\x1f\u336c\n2l\u65e5"
    "\x1f\u33f4\n2l\u70b9\x1f\u336d\n2\u0335\x1f\u01bb\n2\u65e5\x1f\u33e1\n2\u6708\x1f\u32c1\n2\u70b9\x1f\u335a"
    "\n3\x1f\u01b7\u021c\u0417\u04e0\u0969\u0ae9\u2c9c\u2cc4\u2ccc\ua76a\ua7ab\U000118ca\U00016f3b\U0001ccf3"
    "\U0001d206\U0001d7d1\U0001d7db\U0001d7e5\U0001d7ef\U0001d7f9\U0001fbf3\n3,\x1f\U0001f104\n3.\x1f\u248a\n3O"
    "\u65e5\x1f\u33fd\n3l\u65e5\x1f\u33fe\n3\u0326\x1f\u0498\n3\u65e5\x1f\u33e2\n3\u6708\x1f\u32c2\n3\u70b9\x1f"
    "\u335b\n4\x1f\u13ce\U000118af\U0001ccf4\U0001d7d2\U0001d7dc\U0001d7e6\U0001d7f0\U0001d7fa\U0001fbf4\n4,"
    "\x1f\U0001f105\n4.\x1f\u248b\n4\xb7\x1f\u1530\n4\u65e5\x1f\u33e3\n4\u6708\x1f\u32c3\n4\u70b9\x1f\u335c\n5"
    "\x1f\u01bc\U000118bb\U0001ccf5\U0001d7d3\U0001d7dd\U0001d7e7\U0001d7f1\U0001d7fb\U0001fbf5\n5,\x1f"
    "\U0001f106\n5.\x1f\u248c\n5\u65e5\x1f\u33e4\n5\u6708\x1f\u32c4\n5\u70b9\x1f\u335d\n6\x1f\u03ec\u0431\u13ee"
    "\u2cd2\u2cd3\u2cdc\U000118d5\U0001ccf6\U0001d7d4\U0001d7de\U0001d7e8\U0001d7f2\U0001d7fc\U0001fbf6\n6,\x1f"
    "\U0001f107\n6.\x1f\u248d\n6\u65e5\x1f\u33e5\n6\u6708\x1f\u32c5\n6\u70b9\x1f\u335e\n7\x1f\U000104d2"
    "\U000118c6\U0001ccf7\U0001d212\U0001d7d5\U0001d7df\U0001d7e9\U0001d7f3\U0001d7fd\U0001fbf7\n7,\x1f"
    "\U0001f108\n7.\x1f\u248e\n7\u65e5\x1f\u33e6\n7\u6708\x1f\u32c6\n7\u70b9\x1f\u335f\n8\x1f\u0222\u0223\u09ea"
    "\u0a6a\u0b03\U0001031a\U0001ccf8\U0001d7d6\U0001d7e0\U0001d7ea\U0001d7f4\U0001d7fe\U0001e8cb\U0001fbf8\n8,"
    "\x1f\U0001f109\n8.\x1f\u248f\n8\u65e5\x1f\u33e7\n8\u6708\x1f\u32c7\n8\u70b9\x1f\u3360\n9\x1f\u09ed\u0a67"
    "\u0b68\u0d6d\u2cca\u2ccb\ua76e\U000118ac\U000118cc\U000118d6\U0001ccf9\U0001d7d7\U0001d7e1\U0001d7eb"
    "\U0001d7f5\U0001d7ff\U0001fbf9\n9,\x1f\U0001f10a\n9.\x1f\u2490\n9\u65e5\x1f\u33e8\n9\u6708\x1f\u32c8\n9"
    "\u70b9\x1f\u3361\n:\x1f\u02d0\u02f8\u0589\u05c3\u0703\u0704\u0903\u0a83\u16ec\u1803\u1809\u205a\u2236"
    "\ua4fd\ua789\ufe30\uff1a\U00011dd9\n::=\x1f\u2a74\n:\u2192\x1f\u29f4\n;\x1f\u037e\n<\x1f\u02c2\u1438\u16b2"
    "\u2039\u276e\U0001d236\n<<\x1f\u226a\n<<<\x1f\u22d8\n<\xb7\x1f\u1445\u22d6\u2cb4\u2cb5\n=\x1f\u1400\u2e40"
    "\u30a0\ua4ff\n==\x1f\u2a75\n===\x1f\u2a76\n=\u0302\x1f\u2259\n=\u0306\x1f\u225a\n=\u0307\x1f\u2250\n="
    "\u0307\u0323\x1f\u2251\n=\u030a\x1f\u2257\n=\u036b\x1f\u225e\n=\u1ab2\x1f\u2b96\n=\u20f0\x1f\u2a6e\n>\x1f"
    "\u02c3\u1433\u203a\u276f\U00016f3f\U0001d237\n><\x1f\u2aa5\n>>\x1f\u226b\u2a20\n>>>\x1f\u22d9\n>\xb7\x1f"
    "\u1441\n?\x1f\u0241\u0294\u097d\u13ae\ua6eb\n?!\x1f\u2048\n??\x1f\u2047\nA\x1f\u0391\u0410\u13aa\u15c5"
    "\ua4ee\uff21\U000102a0\U00016f40\U0001ccd6\U0001d400\U0001d434\U0001d468\U0001d49c\U0001d4d0\U0001d504"
    "\U0001d538\U0001d56c\U0001d5a0\U0001d5d4\U0001d608\U0001d63c\U0001d670\U0001d6a8\U0001d6e2\U0001d71c"
    "\U0001d756\U0001d790\nAA\x1f\ua732\nAE\x1f\xc6\u04d4\nAO\x1f\ua734\nAR\x1f\U0001f707\nAU\x1f\ua736\nAV\x1f"
    "\ua738\ua73a\nAY\x1f\ua73c\nB\x1f\u0392\u0412\u13f4\u15f7\u212c\u2c82\ua4d0\ua7b4\uff22\U00010282"
    "\U000102a1\U00010301\U0001ccd7\U0001d401\U0001d435\U0001d469\U0001d4d1\U0001d505\U0001d539\U0001d56d"
    "\U0001d5a1\U0001d5d5\U0001d609\U0001d63d\U0001d671\U0001d6a9\U0001d6e3\U0001d71d\U0001d757\U0001d791\nC"
    "\x1f\u03f9\u0421\u13df\u2102\u212d\u216d\u2ca4\ua4da\uff23\U000102a2\U00010302\U00010415\U0001051c"
    "\U000118e9\U000118f2\U0001ccd8\U0001d402\U0001d436\U0001d46a\U0001d49e\U0001d4d2\U0001d56e\U0001d5a2"
    "\U0001d5d6\U0001d60a\U0001d63e\U0001d672\U0001f74c\nC'\x1f\u0187\nC\u0326\x1f\xc7\u04aa\nC\u20e0\x1f"
    "\U0001f16e\nC\u20eb\x1f\u20a1\nD\x1f\u13a0\u15de\u15ea\u2145\u216e\ua4d3\U0001ccd9\U0001d403\U0001d437"
    "\U0001d46b\U0001d49f\U0001d4d3\U0001d507\U0001d53b\U0001d56f\U0001d5a3\U0001d5d7\U0001d60b\U0001d63f"
    "\U0001d673\nDZ\x1f\u01f1\nDz\x1f\u01f2\nD\u017d\x1f\u01c4\nD\u017e\x1f\u01c5\nD\u0335\x1f\xd0\u0110\u0189"
    "\nE\x1f\u0395\u0415\u13ac\u2130\u22ff\u2d39\ua4f0\uff25\U00010286\U000118a6\U000118ae\U0001ccda\U0001d404"
    "\U0001d438\U0001d46c\U0001d4d4\U0001d508\U0001d53c\U0001d570\U0001d5a4\U0001d5d8\U0001d60c\U0001d640"
    "\U0001d674\U0001d6ac\U0001d6e6\U0001d720\U0001d75a\U0001d794\nE\u0338\x1f\u0246\nF\x1f\u03dc\u15b4\u2131"
    "\ua4dd\ua798\U00010287\U000102a5\U00010525\U000118a2\U000118c2\U0001ccdb\U0001d213\U0001d405\U0001d439"
    "\U0001d46d\U0001d4d5\U0001d509\U0001d53d\U0001d571\U0001d5a5\U0001d5d9\U0001d60d\U0001d641\U0001d675"
    "\U0001d7ca\nFAX\x1f\u213b\nF\u0326\x1f\u0191\nG\x1f\u050c\u13c0\u13f3\ua4d6\U0001ccdc\U0001d406\U0001d43a"
    "\U0001d46e\U0001d4a2\U0001d4d6\U0001d50a\U0001d53e\U0001d572\U0001d5a6\U0001d5da\U0001d60e\U0001d642"
    "\U0001d676\nG'\x1f\u0193\nG\u0335\x1f\u01e4\nH\x1f\u0397\u041d\u13bb\u157c\u210b\u210c\u210d\u2c8e\ua4e7"
    "\uff28\U000102cf\U0001ccdd\U0001d407\U0001d43b\U0001d46f\U0001d4d7\U0001d573\U0001d5a7\U0001d5db\U0001d60f"
    "\U0001d643\U0001d677\U0001d6ae\U0001d6e8\U0001d722\U0001d75c\U0001d796\nH\u0326\x1f\u04c7\u04c9\nH\u0329"
    "\x1f\u04a2\u2c67\nH\u0335\x1f\u0126\nJ\x1f\u037f\u0408\u13ab\u148d\ua4d9\ua7b2\uff2a\U0001ccdf\U0001d409"
    "\U0001d43d\U0001d471\U0001d4a5\U0001d4d9\U0001d50d\U0001d541\U0001d575\U0001d5a9\U0001d5dd\U0001d611"
    "\U0001d645\U0001d679\nJ\xb7\x1f\u1499\nJ\u0335\x1f\u0248\nK\x1f\u039a\u041a\u13e6\u16d5\u212a\u2c94\ua4d7"
    "\uff2b\U00010518\U0001cce0\U0001d40a\U0001d43e\U0001d472\U0001d4a6\U0001d4da\U0001d50e\U0001d542\U0001d576"
    "\U0001d5aa\U0001d5de\U0001d612\U0001d646\U0001d67a\U0001d6b1\U0001d6eb\U0001d725\U0001d75f\U0001d799\nK'"
    "\x1f\u0198\nK\u0329\x1f\u049a\u2c69\nK\u0335\x1f\u049e\u20ad\ua740\nL\x1f\u13de\u14aa\u2112\u216c\u2cd0"
    "\ua4e1\U0001041b\U00010526\U000118a3\U000118b2\U00016f16\U0001cce1\U0001d22a\U0001d40b\U0001d43f\U0001d473"
    "\U0001d4db\U0001d50f\U0001d543\U0001d577\U0001d5ab\U0001d5df\U0001d613\U0001d647\U0001d67b\nLJ\x1f\u01c7\n"
    "Lj\x1f\u01c8\nL\u0338\x1f\u0141\nM\x1f\u039c\u03fa\u041c\u13b7\u15f0\u16d6\u2133\u216f\u2c98\ua4df\uff2d"
    "\U000102b0\U00010311\U0001cce2\U0001d40c\U0001d440\U0001d474\U0001d4dc\U0001d510\U0001d544\U0001d578"
    "\U0001d5ac\U0001d5e0\U0001d614\U0001d648\U0001d67c\U0001d6b3\U0001d6ed\U0001d727\U0001d761\U0001d79b\nMB"
    "\x1f\U0001f76b\nM\u0326\x1f\u04cd\nN\x1f\u039d\u2115\u2c9a\ua4e0\uff2e\U00010513\U0001cce3\U0001d40d"
    "\U0001d441\U0001d475\U0001d4a9\U0001d4dd\U0001d511\U0001d579\U0001d5ad\U0001d5e1\U0001d615\U0001d649"
    "\U0001d67d\U0001d6b4\U0001d6ee\U0001d728\U0001d762\U0001d79c\nNJ\x1f\u01ca\nNj\x1f\u01cb\nNo\x1f\u2116\nN"
    "\u030a\x1f\U0001018e\nN\u0326\x1f\u019d\nO\x1f0\u039f\u041e\u0555\u07c0\u0b20\u0ce6\u12d0\u2c9e\u2d54"
    "\u3007\ua4f3\uff2f\U00010292\U000102ab\U00010404\U000104c2\U00010516\U000118b5\U000118e0\U00011de0"
    "\U0001cce4\U0001ccf0\U0001d40e\U0001d442\U0001d476\U0001d4aa\U0001d4de\U0001d512\U0001d546\U0001d57a"
    "\U0001d5ae\U0001d5e2\U0001d616\U0001d64a\U0001d67e\U0001d6b6\U0001d6f0\U0001d72a\U0001d764\U0001d79e"
    "\U0001d7ce\U0001d7d8\U0001d7e2\U0001d7ec\U0001d7f6\U0001fbf0\nO'\x1f\u01a0\u13a4\nO,\x1f\U0001f101\nO.\x1f"
    "\U0001f100\nOE\x1f\u0152\nOO\x1f\ua698\ua74e\nO\u0335\x1f\u019f\u0398\u03b8\u03d1\u03f4\u0472\u04e8\u13be"
    "\u13eb\u2296\u229d\u236c\u2c90\u2d31\ua74a\U0001d21a\U0001d6af\U0001d6b9\U0001d6c9\U0001d6dd\U0001d6e9"
    "\U0001d6f3\U0001d703\U0001d717\U0001d723\U0001d72d\U0001d73d\U0001d751\U0001d75d\U0001d767\U0001d777"
    "\U0001d78b\U0001d797\U0001d7a1\U0001d7b1\U0001d7c5\U0001f714\nO\u0338\x1f\xd8\u2d41\nO\u0338\u0301\x1f"
    "\u01fe\nO\u70b9\x1f\u3358\nP\x1f\u03a1\u0420\u13e2\u146d\u2119\u2ca2\u2cce\ua4d1\uff30\U00010295\U0001cce5"
    "\U0001d40f\U0001d443\U0001d477\U0001d4ab\U0001d4df\U0001d513\U0001d57b\U0001d5af\U0001d5e3\U0001d617"
    "\U0001d64b\U0001d67f\U0001d6b8\U0001d6f2\U0001d72c\U0001d766\U0001d7a0\nP'\x1f\u1486\nQ\x1f\u211a\u2d55"
    "\U0001cce6\U0001d410\U0001d444\U0001d478\U0001d4ac\U0001d4e0\U0001d514\U0001d57c\U0001d5b0\U0001d5e4"
    "\U0001d618\U0001d64c\U0001d680\nQE\x1f\U0001f700\nR\x1f\u01a6\u13a1\u13d2\u1587\u211b\u211c\u211d\ua4e3"
    "\U000104b4\U00016f35\U0001cce7\U0001d216\U0001d411\U0001d445\U0001d479\U0001d4e1\U0001d57d\U0001d5b1"
    "\U0001d5e5\U0001d619\U0001d64d\U0001d681\nRs\x1f\u20a8\nS\x1f\u0405\u054f\u13d5\u13da\ua4e2\uff33"
    "\U00010296\U00010420\U00016f3a\U0001cce8\U0001d412\U0001d446\U0001d47a\U0001d4ae\U0001d4e2\U0001d516"
    "\U0001d54a\U0001d57e\U0001d5b2\U0001d5e6\U0001d61a\U0001d64e\U0001d682\nT\x1f\u03a4\u0422\u13a2\u22a4"
    "\u27d9\u2ca6\ua4d4\uff34\U00010297\U000102b1\U00010315\U000118bc\U00016f0a\U0001cce9\U0001d413\U0001d447"
    "\U0001d47b\U0001d4af\U0001d4e3\U0001d517\U0001d54b\U0001d57f\U0001d5b3\U0001d5e7\U0001d61b\U0001d64f"
    "\U0001d683\U0001d6bb\U0001d6f5\U0001d72f\U0001d769\U0001d7a3\U0001f768\nT3\x1f\ua728\nTEL\x1f\u2121\nT"
    "\u0308\x1f\u2361\nT\u0328\x1f\u01ae\nT\u0329\x1f\u04ac\nT\u0335\x1f\u0166\nT\u0338\x1f\u023e\nT\u20eb\x1f"
    "\u20ae\nU\x1f\u054d\u1200\u144c\u222a\u22c3\ua4f4\U000104ce\U000118b8\U00016f42\U0001ccea\U0001d414"
    "\U0001d448\U0001d47c\U0001d4b0\U0001d4e4\U0001d518\U0001d54c\U0001d580\U0001d5b4\U0001d5e8\U0001d61c"
    "\U0001d650\U0001d684\nU'\x1f\u1467\nU\xb7\x1f\u1458\nU\u0335\x1f\u0244\u13cc\nV\x1f\u0474\u0667\u06f7"
    "\u13d9\u142f\u2164\u2d38\ua4e6\ua6df\U0001051d\U000118a0\U00016f08\U0001cceb\U0001d20d\U0001d415\U0001d449"
    "\U0001d47d\U0001d4b1\U0001d4e5\U0001d519\U0001d54d\U0001d581\U0001d5b5\U0001d5e9\U0001d61d\U0001d651"
    "\U0001d685\nVB\x1f\U0001f76c\nVl\x1f\u2165\nVll\x1f\u2166\nVlll\x1f\u2167\nV\xb7\x1f\u143b\nV\u0335\x1f"
    "\U00010197\nV\u1de4\x1f\U0001f708\nW\x1f\u051c\u13b3\u13d4\ua4ea\U000118e6\U000118ef\U0001ccec\U0001d416"
    "\U0001d44a\U0001d47e\U0001d4b2\U0001d4e6\U0001d51a\U0001d54e\U0001d582\U0001d5b6\U0001d5ea\U0001d61e"
    "\U0001d652\U0001d686\nW\u0335\x1f\u20a9\nX\x1f\u03a7\u0425\u166d\u16b7\u2169\u2573\u2cac\u2d5d\ua4eb\ua7b3"
    "\uff38\U00010290\U000102b4\U00010317\U00010322\U00010527\U000118ec\U0001cced\U0001d417\U0001d44b\U0001d47f"
    "\U0001d4b3\U0001d4e7\U0001d51b\U0001d54f\U0001d583\U0001d5b7\U0001d5eb\U0001d61f\U0001d653\U0001d687"
    "\U0001d6be\U0001d6f8\U0001d732\U0001d76c\U0001d7a6\nXl\x1f\u216a\nXll\x1f\u216b\nX\u0329\x1f\u04b2\nX"
    "\u0335\x1f\U00010196\nY\x1f\u03a5\u03d2\u0423\u04ae\u13a9\u13bd\u2ca8\ua4ec\uff39\U000102b2\U000118a4"
    "\U00016f43\U0001ccee\U0001d418\U0001d44c\U0001d480\U0001d4b4\U0001d4e8\U0001d51c\U0001d550\U0001d584"
    "\U0001d5b8\U0001d5ec\U0001d620\U0001d654\U0001d688\U0001d6bc\U0001d6f6\U0001d730\U0001d76a\U0001d7a4\nY"
    "\u0335\x1f\xa5\u024e\u04b0\nZ\x1f\u0396\u13c3\u2124\u2128\ua4dc\uff3a\U000102f5\U000118a9\U000118e5"
    "\U0001ccef\U0001d419\U0001d44d\U0001d481\U0001d4b5\U0001d4e9\U0001d585\U0001d5b9\U0001d5ed\U0001d621"
    "\U0001d655\U0001d689\U0001d6ad\U0001d6e7\U0001d721\U0001d75b\U0001d795\nZ\u0326\x1f\u0224\nZ\u0335\x1f"
    "\u01b5\n\\\x1f\u2216\u27cd\u29f5\u29f9\u2f02\u31d4\u4e36\ufe68\uff3c\U0001d20f\U0001d23b\n\\\\\x1f\u244a"
    "\u2cf9\n\\\u1455\x1f\u27c8\n^\x1f\u02c4\u02c6\n_\x1f\u07fa\ufe4d\ufe4e\ufe4f\na\x1f\u0251\u03b1\u0430"
    "\u237a\uff41\U0001d41a\U0001d44e\U0001d482\U0001d4b6\U0001d4ea\U0001d51e\U0001d552\U0001d586\U0001d5ba"
    "\U0001d5ee\U0001d622\U0001d656\U0001d68a\U0001d6c2\U0001d6fc\U0001d736\U0001d770\U0001d7aa\na/c\x1f\u2100"
    "\na/s\x1f\u2101\naa\x1f\ua733\nae\x1f\xe6\u04d5\nao\x1f\ua735\nau\x1f\ua737\nav\x1f\ua739\ua73b\nay\x1f"
    "\ua73d\na\u0332\x1f\u2376\nb\x1f\u0184\u042c\u13cf\u1472\u15af\U00016eb6\U0001d41b\U0001d44f\U0001d483"
    "\U0001d4b7\U0001d4eb\U0001d51f\U0001d553\U0001d587\U0001d5bb\U0001d5ef\U0001d623\U0001d657\U0001d68b\nb'"
    "\x1f\u1488\nbl\x1f\u042b\nb\xb7\x1f\u147f\nb\u0304\x1f\u0182\u0183\u0411\nb\u0307\x1f\u1473\nb\u0307\xb7"
    "\x1f\u1481\nb\u0314\x1f\u0253\nb\u0335\x1f\u0180\u0462\u0463\u048c\u048d\nc\x1f\u03f2\u0441\u1004\u105a"
    "\u1d04\u217d\u2ca5\uabaf\uff43\U0001043d\U0001d41c\U0001d450\U0001d484\U0001d4b8\U0001d4ec\U0001d520"
    "\U0001d554\U0001d588\U0001d5bc\U0001d5f0\U0001d624\U0001d658\U0001d68c\nc/o\x1f\u2105\nc/u\x1f\u2106\nc"
    "\u0326\x1f\xe7\u04ab\nc\u0338\x1f\xa2\u023c\nd\x1f\u0501\u13e7\u146f\u2146\u217e\ua4d2\U0001d41d\U0001d451"
    "\U0001d485\U0001d4b9\U0001d4ed\U0001d521\U0001d555\U0001d589\U0001d5bd\U0001d5f1\U0001d625\U0001d659"
    "\U0001d68d\nd'\x1f\u1487\ndz\x1f\u01f3\u02a3\nd\xb7\x1f\u147b\nd\u017e\x1f\u01c6\nd\u021d\x1f\u02a4\nd"
    "\u0291\x1f\u02a5\nd\u0304\x1f\u018c\nd\u0314\x1f\u0257\nd\u0328\x1f\u0256\nd\u0335\x1f\u0111\nd\u0335"
    "\u0331\x1f\u20ab\ne\x1f\u0435\u04bd\u212e\u212f\u2147\uab32\uff45\U0001d41e\U0001d452\U0001d486\U0001d4ee"
    "\U0001d522\U0001d556\U0001d58a\U0001d5be\U0001d5f2\U0001d626\U0001d65a\U0001d68e\ne\u0328\x1f\u04bf\ne"
    "\u0338\x1f\u0247\nf\x1f\u017f\u0192\u0584\u1e9d\ua799\uab35\U0001d41f\U0001d453\U0001d487\U0001d4bb"
    "\U0001d4ef\U0001d523\U0001d557\U0001d58b\U0001d5bf\U0001d5f3\U0001d627\U0001d65b\U0001d68f\nff\x1f\ufb00\n"
    "ffi\x1f\ufb03\nffl\x1f\ufb04\nfi\x1f\ufb01\nfl\x1f\ufb02\nfn\u0329\x1f\u02a9\nf\u0334\x1f\u1d6e\ng\x1f"
    "\u018d\u0261\u0581\u1d83\u210a\uff47\U0001d420\U0001d454\U0001d488\U0001d4f0\U0001d524\U0001d558\U0001d58c"
    "\U0001d5c0\U0001d5f4\U0001d628\U0001d65c\U0001d690\ng\u0314\x1f\u0260\ng\u0335\x1f\u01e5\nh\x1f\u04bb"
    "\u0570\u13c2\u210e\uff48\U0001d421\U0001d489\U0001d4bd\U0001d4f1\U0001d525\U0001d559\U0001d58d\U0001d5c1"
    "\U0001d5f5\U0001d629\U0001d65d\U0001d691\nh\u0314\x1f\u0266\u13f2\ua695\nh\u0335\x1f\u0127\u045b\u210f\ni"
    "\x1f\u0131\u0269\u026a\u02db\u037a\u03b9\u0456\u0582\u13a5\u1fbe\u2139\u2148\u2170\u2373\u2c93\ua647\uab75"
    "\uff49\U000118c3\U0001d422\U0001d456\U0001d48a\U0001d4be\U0001d4f2\U0001d526\U0001d55a\U0001d58e\U0001d5c2"
    "\U0001d5f6\U0001d62a\U0001d65e\U0001d692\U0001d6a4\U0001d6ca\U0001d704\U0001d73e\U0001d778\U0001d7b2\nii"
    "\x1f\u2171\niii\x1f\u2172\nij\x1f\u0133\niv\x1f\u2173\nix\x1f\u2178\ni\u0332\x1f\u2378\ni\u0335\x1f\u0268"
    "\u1d7b\u1d7c\nj\x1f\u03f3\u0458\u2149\uff4a\U0001d423\U0001d457\U0001d48b\U0001d4bf\U0001d4f3\U0001d527"
    "\U0001d55b\U0001d58f\U0001d5c3\U0001d5f7\U0001d62b\U0001d65f\U0001d693\nj\u0335\x1f\u0249\nk\x1f\U0001d424"
    "\U0001d458\U0001d48c\U0001d4c0\U0001d4f4\U0001d528\U0001d55c\U0001d590\U0001d5c4\U0001d5f8\U0001d62c"
    "\U0001d660\U0001d694\nk\u0314\x1f\u0199\nl\x1f1I|\u0196\u01c0\u0399\u0406\u04c0\u04cf\u05c0\u05d5\u05df"
    "\u0627\u0661\u06f1\u07ca\u16c1\u2110\u2111\u2113\u2160\u217c\u2223\u23fd\u2c92\u2d4f\ua4f2\ufe8d\ufe8e"
    "\uff29\uff4c\uffe8\U0001028a\U00010309\U00010320\U00011dda\U00011de1\U00016eaa\U00016f28\U0001ccde"
    "\U0001ccf1\U0001d408\U0001d425\U0001d43c\U0001d459\U0001d470\U0001d48d\U0001d4c1\U0001d4d8\U0001d4f5"
    "\U0001d529\U0001d540\U0001d55d\U0001d574\U0001d591\U0001d5a8\U0001d5c5\U0001d5dc\U0001d5f9\U0001d610"
    "\U0001d62d\U0001d644\U0001d661\U0001d678\U0001d695\U0001d6b0\U0001d6ea\U0001d724\U0001d75e\U0001d798"
    "\U0001d7cf\U0001d7d9\U0001d7e3\U0001d7ed\U0001d7f7\U0001e8c7\U0001ee00\U0001ee80\U0001fbf1\nl'\x1f\u05f1\n"
    "l,\x1f\U0001f102\nl.\x1f\u2488\nl2.\x1f\u2493\nl2\u65e5\x1f\u33eb\nl2\u6708\x1f\u32cb\nl2\u70b9\x1f\u3364"
    "\nl3.\x1f\u2494\nl3\u65e5\x1f\u33ec\nl3\u70b9\x1f\u3365\nl4.\x1f\u2495\nl4\u65e5\x1f\u33ed\nl4\u70b9\x1f"
    "\u3366\nl5.\x1f\u2496\nl5\u65e5\x1f\u33ee\nl5\u70b9\x1f\u3367\nl6.\x1f\u2497\nl6\u65e5\x1f\u33ef\nl6\u70b9"
    "\x1f\u3368\nl7.\x1f\u2498\nl7\u65e5\x1f\u33f0\nl7\u70b9\x1f\u3369\nl8.\x1f\u2499\nl8\u65e5\x1f\u33f1\nl8"
    "\u70b9\x1f\u336a\nl9.\x1f\u249a\nl9\u65e5\x1f\u33f2\nl9\u70b9\x1f\u336b\nlJ\x1f\u0132\nlO\x1f\u042e\nlO."
    "\x1f\u2491\nlO\u65e5\x1f\u33e9\nlO\u6708\x1f\u32c9\nlO\u70b9\x1f\u3362\nlV\x1f\u2163\nlX\x1f\u2168\nlj\x1f"
    "\u01c9\nll\x1f\u01c1\u05f0\u2016\u2161\u2225\nll.\x1f\u2492\nlll\x1f\u2162\nll\u65e5\x1f\u33ea\nll\u6708"
    "\x1f\u32ca\nll\u70b9\x1f\u3363\nls\x1f\u02aa\nlt\x1f\u20b6\nlz\x1f\u02ab\nl\xb7\x1f\u013f\u0140\u14b7\nl"
    "\u021d\x1f\u026e\nl\u030b\x1f\ufd3c\ufd3d\nl\u0328\x1f\u026d\nl\u0334\x1f\u026b\nl\u0335\x1f\u0197\u019a\n"
    "l\u0335l\u0335\x1f\U00010199\nl\u0335l\u0335S\u0335\x1f\U00010198\nl\u0338\x1f\u0142\nl\u0643\u0628\u0631"
    "\x1f\ufdf3\nl\u0644\u0644\u0651\u0670o\x1f\ufdf2\nl\u0655\x1f\u0625\u0673\ufe87\ufe88\nl\u0674\x1f\u0623"
    "\u0672\u0675\ufe83\ufe84\nl\u65e5\x1f\u33e0\nl\u6708\x1f\u32c0\nl\u70b9\x1f\u3359\nn\x1f\u0578\u057c"
    "\U0001d427\U0001d45b\U0001d48f\U0001d4c3\U0001d4f7\U0001d52b\U0001d55f\U0001d593\U0001d5c7\U0001d5fb"
    "\U0001d62f\U0001d663\U0001d697\nnj\x1f\u01cc\nn\u0328\x1f\u0273\nn\u0329\x1f\u014b\u019e\u03b7\u0572"
    "\U0001d6c8\U0001d702\U0001d73c\U0001d776\U0001d7b0\nn\u0334\x1f\u1d70\no\x1f\u03bf\u03c3\u03ed\u043e\u0585"
    "\u05e1\u0647\u0665\u06be\u06c1\u06d5\u06f5\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c02\u0c66\u0c82\u0d02"
    "\u0d20\u0d66\u0d82\u0e50\u0ed0\u101d\u1040\u10ff\u17e0\u1d0f\u1d11\u2134\u2c9f\uab3d\ufba6\ufba7\ufba8"
    "\ufba9\ufbaa\ufbab\ufbac\ufbad\ufee9\ufeea\ufeeb\ufeec\uff4f\U0001042c\U000104ea\U000114d0\U000118c8"
    "\U000118d7\U0001d428\U0001d45c\U0001d490\U0001d4f8\U0001d52c\U0001d560\U0001d594\U0001d5c8\U0001d5fc"
    "\U0001d630\U0001d664\U0001d698\U0001d6d0\U0001d6d4\U0001d70a\U0001d70e\U0001d744\U0001d748\U0001d77e"
    "\U0001d782\U0001d7b8\U0001d7bc\U0001ee24\U0001ee64\U0001ee84\no'\x1f\u01a1\noe\x1f\u0153\noo\x1f\u221e"
    "\ua699\ua74f\no\u0302\x1f\u06ff\no\u031b\x1f\uab74\no\u0335\x1f\u0275\u0473\u04e9\u2c91\ua74b\uab8e\uabbb"
    "\no\u0338\x1f\xf8\uab3e\no\u062c\x1f\ufc51\ufcd7\no\u0645\x1f\ufc52\ufcd8\no\u0645\u062c\x1f\ufd93\no"
    "\u0645\u0645\x1f\ufd94\no\u0649\x1f\ufc53\ufc54\no\u0670\x1f\ufcd9\no\u0d30o\x1f\u0d5f\no\u102c\x1f\u1010"
    "\u10d7\no\u1d07\x1f\u0276\np\x1f\xfe\u01bf\u03c1\u03f1\u03f8\u0440\u2374\u2ca3\u2ccf\uff50\U0001d429"
    "\U0001d45d\U0001d491\U0001d4c5\U0001d4f9\U0001d52d\U0001d561\U0001d595\U0001d5c9\U0001d5fd\U0001d631"
    "\U0001d665\U0001d699\U0001d6d2\U0001d6e0\U0001d70c\U0001d71a\U0001d746\U0001d754\U0001d780\U0001d78e"
    "\U0001d7ba\U0001d7c8\np\xb7\x1f\u1477\np\u0314\x1f\u01a5\np\u0335\x1f\u1d7d\nq\x1f\u051b\u0563\u0566"
    "\U0001d42a\U0001d45e\U0001d492\U0001d4c6\U0001d4fa\U0001d52e\U0001d562\U0001d596\U0001d5ca\U0001d5fe"
    "\U0001d632\U0001d666\U0001d69a\nq\u0314\x1f\u02a0\nr\x1f\u0433\u1d26\u2c85\uab47\uab48\uab81\U0001d42b"
    "\U0001d45f\U0001d493\U0001d4c7\U0001d4fb\U0001d52f\U0001d563\U0001d597\U0001d5cb\U0001d5ff\U0001d633"
    "\U0001d667\U0001d69b\nr'\x1f\u0491\nrn\x1fm\u217f\U00011700\U000118e3\U0001d426\U0001d45a\U0001d48e"
    "\U0001d4c2\U0001d4f6\U0001d52a\U0001d55e\U0001d592\U0001d5c6\U0001d5fa\U0001d62e\U0001d662\U0001d696\nrn"
    "\u0326\x1f\u0271\nrn\u0334\x1f\u1d6f\nrn\u0338\x1f\u20a5\nr\u0328\x1f\u027d\nr\u0329\x1f\u027c\nr\u0334"
    "\x1f\u1d72\nr\u0335\x1f\u024d\u0493\ns\x1f\u01bd\u0455\u0d1f\ua731\uabaa\uff53\U00010448\U000118c1"
    "\U0001d42c\U0001d460\U0001d494\U0001d4c8\U0001d4fc\U0001d530\U0001d564\U0001d598\U0001d5cc\U0001d600"
    "\U0001d634\U0001d668\U0001d69c\nsss\x1f\U0001f75c\nst\x1f\ufb06\ns\u0328\x1f\u0282\ns\u0334\x1f\u1d74\nt"
    "\x1f\U0001d42d\U0001d461\U0001d495\U0001d4c9\U0001d4fd\U0001d531\U0001d565\U0001d599\U0001d5cd\U0001d601"
    "\U0001d635\U0001d669\U0001d69d\ntf\x1f\ua777\nts\x1f\u02a6\nt\u021d\x1f\ua729\nt\u0255\x1f\u02a8\nt\u0283"
    "\x1f\u02a7\nt\u0314\x1f\u01ad\nt\u0334\x1f\u1d75\nt\u0335\x1f\u0167\nu\x1f\u028b\u03c5\u057d\u1d1c\ua79f"
    "\uab4e\uab52\U000104f6\U000118d8\U0001d42e\U0001d462\U0001d496\U0001d4ca\U0001d4fe\U0001d532\U0001d566"
    "\U0001d59a\U0001d5ce\U0001d602\U0001d636\U0001d66a\U0001d69e\U0001d6d6\U0001d710\U0001d74a\U0001d784"
    "\U0001d7be\nue\x1f\u1d6b\nuo\x1f\uab63\nu\u0329\x1f\u045f\nu\u0335\x1f\u1d7e\uab9c\nv\x1f\u03bd\u0475"
    "\u05d8\u1d20\u2174\u2228\u22c1\uaba9\uff56\U00011706\U000118c0\U0001d42f\U0001d463\U0001d497\U0001d4cb"
    "\U0001d4ff\U0001d533\U0001d567\U0001d59b\U0001d5cf\U0001d603\U0001d637\U0001d66b\U0001d69f\U0001d6ce"
    "\U0001d708\U0001d742\U0001d77c\U0001d7b6\nvi\x1f\u2175\nvii\x1f\u2176\nviii\x1f\u2177\nw\x1f\u026f\u0448"
    "\u0461\u051d\u0561\u1d21\u2cbd\uab83\U0001170a\U0001170e\U0001170f\U0001d430\U0001d464\U0001d498\U0001d4cc"
    "\U0001d500\U0001d534\U0001d568\U0001d59c\U0001d5d0\U0001d604\U0001d638\U0001d66c\U0001d6a0\nw\u0307\x1f"
    "\U000114c5\nw\u0326\x1f\ua761\nw\u0486\u0487\x1f\u047d\nx\x1f\xd7\u0445\u1541\u157d\u166e\u2179\u292b"
    "\u292c\u2a2f\uff58\U0001d431\U0001d465\U0001d499\U0001d4cd\U0001d501\U0001d535\U0001d569\U0001d59d"
    "\U0001d5d1\U0001d605\U0001d639\U0001d66d\U0001d6a1\nxi\x1f\u217a\nxii\x1f\u217b\nx\u0307\x1f\u2a30\ny\x1f"
    "\u0263\u028f\u03b3\u0443\u04af\u10e7\u1d8c\u1eff\u213d\u2ca9\uab5a\uff59\U000118dc\U0001d432\U0001d466"
    "\U0001d49a\U0001d4ce\U0001d502\U0001d536\U0001d56a\U0001d59e\U0001d5d2\U0001d606\U0001d63a\U0001d66e"
    "\U0001d6a2\U0001d6c4\U0001d6fe\U0001d738\U0001d772\U0001d7ac\ny\u0314\x1f\u01b4\ny\u0335\x1f\u024f\u04b1\n"
    "z\x1f\u1d22\uab93\U000118c4\U0001d433\U0001d467\U0001d49b\U0001d4cf\U0001d503\U0001d537\U0001d56b"
    "\U0001d59f\U0001d5d3\U0001d607\U0001d63b\U0001d66f\U0001d6a3\nz\u0326\x1f\u0225\nz\u0328\x1f\u0290\nz"
    "\u0334\x1f\u1d76\nz\u0335\x1f\u01b6\n{\x1f\u2774\U0001d114\n}\x1f\u2775\n~\x1f\u02dc\u1fc0\u2053\u223c\n~"
    "\u0307\x1f\u2a6a\u2e1e\n~\u0308\x1f\u2368\n~\u0323\x1f\u2e1f\n\xa3\x1f\u20a4\n\xa9\x1f\u24b8\n\xae\x1f"
    "\u24c7\n\xb0\x1f\u02da\u2218\u25cb\u25e6\u2e30\n\xb0C\x1f\u2103\n\xb0F\x1f\u2109\n\xb0\u0308\x1f\u2364\n"
    "\xb0\u0332\x1f\u235c\U00010ed0\n\xb6\x1f\u2e3f\n\xb7\x1f\u0387\u1427\u16eb\u2022\u2027\u2219\u22c5\u2e31"
    "\u30fb\ua78f\uff65\U00010101\n\xb74\x1f\u152f\n\xb7<\x1f\u1444\n\xb7>\x1f\u1437\u1440\u22d7\n\xb7J\x1f"
    "\u1498\n\xb7L\x1f\u14b6\n\xb7P\x1f\u1476\n\xb7U\x1f\u1457\n\xb7V\x1f\u143a\n\xb7b\x1f\u147e\n\xb7b\u0307"
    "\x1f\u1480\n\xb7d\x1f\u147a\n\xb7\xb7\xb7\x1f\u22ef\u2d48\n\xb7\u0245\x1f\u143c\n\xb7\u0393\x1f\u14ae\n"
    "\xb7\u0394\x1f\u140e\n\xb7\u0548\x1f\u1459\n\xb7\u1401\x1f\u140c\n\xb7\u1404\x1f\u1410\n\xb7\u1405\x1f"
    "\u1412\n\xb7\u1406\x1f\u1414\n\xb7\u140a\x1f\u1417\n\xb7\u140b\x1f\u1419\n\xb7\u1432\x1f\u143e\n\xb7\u1434"
    "\x1f\u1442\n\xb7\u1439\x1f\u1446\n\xb7\u144f\x1f\u145b\n\xb7\u1450\x1f\u1454\u145d\n\xb7\u1451\x1f\u145f\n"
    "\xb7\u1455\x1f\u1461\n\xb7\u1456\x1f\u1463\n\xb7\u146b\x1f\u1474\n\xb7\u146e\x1f\u1478\n\xb7\u1470\x1f"
    "\u147c\n\xb7\u1489\x1f\u1492\n\xb7\u148b\x1f\u1494\n\xb7\u148c\x1f\u1496\n\xb7\u148e\x1f\u149a\n\xb7\u1490"
    "\x1f\u149c\n\xb7\u1491\x1f\u149e\n\xb7\u14a3\x1f\u14ac\n\xb7\u14a6\x1f\u14b0\n\xb7\u14a7\x1f\u14b2\n\xb7"
    "\u14a8\x1f\u14b4\n\xb7\u14ab\x1f\u14b8\n\xb7\u14c0\x1f\u14c9\n\xb7\u14c2\x1f\u18c6\n\xb7\u14c3\x1f\u18c8\n"
    "\xb7\u14c4\x1f\u18ca\n\xb7\u14c5\x1f\u18cc\n\xb7\u14c7\x1f\u14cb\n\xb7\u14c8\x1f\u14cd\n\xb7\u14d3\x1f"
    "\u14dc\n\xb7\u14d5\x1f\u14de\n\xb7\u14d6\x1f\u14e0\n\xb7\u14d7\x1f\u14e2\n\xb7\u14d8\x1f\u14e4\n\xb7\u14da"
    "\x1f\u14e6\n\xb7\u14db\x1f\u14e8\n\xb7\u14ed\x1f\u14f6\n\xb7\u14ef\x1f\u14f8\n\xb7\u14f0\x1f\u14fa\n\xb7"
    "\u14f1\x1f\u14fc\n\xb7\u14f2\x1f\u14fe\n\xb7\u14f4\x1f\u1500\n\xb7\u14f5\x1f\u1502\n\xb7\u1510\x1f\u1517\n"
    "\xb7\u1511\x1f\u1519\n\xb7\u1512\x1f\u151b\n\xb7\u1513\x1f\u151d\n\xb7\u1514\x1f\u151f\n\xb7\u1515\x1f"
    "\u1521\n\xb7\u1516\x1f\u1523\n\xb7\u1528\x1f\u1531\n\xb7\u1529\x1f\u1533\n\xb7\u152a\x1f\u1535\n\xb7\u152b"
    "\x1f\u1537\n\xb7\u152d\x1f\u1539\n\xb7\u152e\x1f\u153b\n\xb7\u1543\x1f\u18ce\n\xb7\u1546\x1f\u18cf\n\xb7"
    "\u1547\x1f\u18d0\n\xb7\u1548\x1f\u18d1\n\xb7\u1549\x1f\u18d2\n\xb7\u154b\x1f\u18d3\n\xb7\u154c\x1f\u154e\n"
    "\xb7\u155a\x1f\u155b\n\xb7\u1567\x1f\u1568\n\xb7\u18b1\x1f\u18b3\n\xb7\u18b4\x1f\u18b6\n\xb7\u18b8\x1f"
    "\u18b9\n\xb7\u18c0\x1f\u18c2\n\xba\x1f\u1d52\u2070\n\xba/\u2080\x1f%\u066a\u2052\n\xba/\u2080\u2080\x1f"
    "\u0609\u2030\n\xba/\u2080\u2080\u2080\x1f\u060a\u2031\n\xc5\x1f\u0226\n\xd6\x1f\u0150\n\xde\x1f\u03f7"
    "\U000104c4\n\xdf\x1f\u03b2\u03d0\u13f0\u1e9e\ua7b5\ua7d6\U0001d6c3\U0001d6fd\U0001d737\U0001d771\U0001d7ab"
    "\n\xe5\x1f\u0227\n\xf7\x1f\u2797\n\u0102\x1f\u01cd\n\u0103\x1f\u01ce\n\u0114\x1f\u011a\n\u0115\x1f\u011b\n"
    "\u011e\x1f\u01e6\n\u011f\x1f\u01e7\n\u0123\x1f\u01f5\n\u012c\x1f\u01cf\n\u012d\x1f\u01d0\n\u0138\x1f\u03ba"
    "\u03f0\u043a\u1d0b\u2c95\uabb6\U0001d6cb\U0001d6de\U0001d705\U0001d718\U0001d73f\U0001d752\U0001d779"
    "\U0001d78c\U0001d7b3\U0001d7c6\n\u0138\u0329\x1f\u049b\n\u0138\u0335\x1f\u049f\n\u014e\x1f\u01d1\n\u014f"
    "\x1f\u01d2\n\u0162\x1f\u021a\n\u016c\x1f\u01d3\n\u016d\x1f\u01d4\n\u0185\x1f\u044c\uab9f\U00016ed1\n\u0185"
    "i\x1f\u044b\n\u0186\x1f\u03fd\u2183\ua4db\U00010423\n\u018e\x1f\u2203\u2d3a\ua4f1\n\u018f\x1f\u04d8\n"
    "\u0190\x1f\u0510\u13cb\u2107\U00010401\U00016f2d\U0001d221\n\u01a8\x1f\u03e9\u1d24\ua645\n\u01a9\x1f\u03a3"
    "\u2140\u2211\u2d49\U0001d6ba\U0001d6f4\U0001d72e\U0001d768\U0001d7a2\n\u01ab\x1f\u0163\u021b\u13bf\n\u01b1"
    "\x1f\u162e\u1634\u2127\n\u01c2\x1f\u256a\n\u01dd\x1f\u0259\u04d9\n\u01ddo\x1f\u1d14\n\u01ddo\u0335\x1f"
    "\uab42\n\u01ddo\u0338\x1f\uab41\n\u01dd\u02de\x1f\u025a\n\u01f6\x1f\u050a\n\u021d\x1f\u0292\u04e1\u10f3"
    "\u2cc5\u2ccd\ua76b\n\u0237\x1f\u0575\U0001d6a5\n\u0242\x1f\uab7e\n\u0245\x1f\u039b\u041b\u0668\u06f8\u1431"
    "\u2d37\ua4e5\ua6ce\ua7da\U0001028d\U000104b0\U00016f3d\U0001d6b2\U0001d6ec\U0001d726\U0001d760\U0001d79a\n"
    "\u0245\xb7\x1f\u143d\n\u0245\u0326\x1f\u04c5\n\u0245\u0338\x1f\ua7dc\n\u024b\x1f\u1d90\n\u0254\x1f\u037b"
    "\u1d10\u2184\U0001044b\n\u0254e\x1f\uab62\n\u0254\u0338\x1f\uab3f\n\u025c\x1f\u0437\u1d08\n\u025c\u0326"
    "\x1f\u0499\n\u025e\x1f\U00010442\n\u0262\x1f\u050d\u13fb\uab90\n\u0270\x1f\u057a\u1223\n\u0272\x1f\u0146\n"
    "\u0274\x1f\u2c9b\n\u0277\x1f\U0001043f\n\u0278\x1f\u03c6\u03d5\u0444\u2cab\u2ce0\u2ce1\U0001d6d7\U0001d6df"
    "\U0001d711\U0001d719\U0001d74b\U0001d753\U0001d785\U0001d78d\U0001d7bf\U0001d7c7\n\u027e\u0334\x1f\u1d73\n"
    "\u027f\x1f\u2129\n\u0280\x1f\uab71\uaba2\n\u0283\x1f\u222b\uab4d\n\u0283\u0283\x1f\u222c\n\u0283\u0283"
    "\u0283\x1f\u222d\n\u0283\u0283\u0283\u0283\x1f\u2a0c\n\u028a\u0335\x1f\u1d7f\n\u028c\x1f\u1d27\u2c97"
    "\U000104d8\n\u028d\x1f\u043c\u1d0d\u2c99\uab87\n\u028d\u0326\x1f\u04ce\n\u0293\x1f\u2c9d\n\u0298\x1f\u2299"
    "\u2609\u2a00\u2d59\ua668\U000104c3\n\u0299\x1f\u0432\u13fc\u2c83\n\u029a\x1f\ua79d\U0001042a\n\u029c\x1f"
    "\u043d\u2c8f\uab8b\n\u029c\u0326\x1f\u04c8\u04ca\n\u029c\u0329\x1f\u04a3\n\u029f\x1f\u2cd1\uabae\U00010443"
    "\n\u02a1\x1f\ua6cd\n\u02c1\x1f\u02e4\n\u02c7\x1f\u02d8\ua67e\n\u02c9\x1f\xaf\u203e\u2594\ufe49\ufe4a\ufe4b"
    "\ufe4c\uffe3\n\u02c9b\x1f\u044a\n\u02c9bi\x1f\ua651\n\u02cf\x1f\u0375\n\u02ea\x1f\u02fb\ua716\n\u02eb\x1f"
    "\ua714\n\u02f3\x1f\u3002\n\u0300\x1f\u0340\u0953\n\u0301\x1f\u0341\u059c\u059d\u0618\u064e\u0747\u0954\n"
    "\u0302\x1f\u0311\u065b\u07ee\u1cd0\ua6f0\n\u0303\x1f\u0342\u0653\n\u0304\x1f\u0305\u0659\u07eb\u1ae2\u1cd2"
    "\ua6f1\n\u0304\u0304\x1f\u1ae8\n\u0306\x1f\u030c\u036e\u0658\u065a\u0945\ua67c\U00011b66\n\u0306\u0307\x1f"
    "\u0310\u06e8\u0901\u0981\u0a81\u0b01\u0c00\u0c81\u0d01\U000114bf\n\u0307\x1f\u0358\u05b9\u05ba\u05c1\u05c2"
    "\u05c4\u06ec\u0740\u0741\u07ed\u08ea\u0902\u0a02\u0a82\u0bcd\n\u0308\x1f\u07f3\u08eb\n\u0309\x1f\u302c\n"
    "\u030a\x1f\u0366\u05af\u0652\u06df\u0b82\u0e4d\u0ecd\u1036\u17c6\u17d3\u2dea\u309a\U00011300\n\u030a\u0e32"
    "\x1f\u0e33\n\u030a\u0eb2\x1f\u0eb3\n\u030b\x1f\u064b\u08f0\n\u030e\x1f\u1cda\n\u0312\x1f\u0657\n\u0313\x1f"
    "\u0315\u0343\u0619\u064f\u08f3\n\u0314\x1f\u065d\n\u0316\x1f\u1ced\n\u0323\x1f\u05b4\u05c5\u065c\u08ed"
    "\u093c\u09bc\u0a3c\u0abc\u0b3c\u1cdd\U00010a3a\U000111ca\U000114c3\n\u0324\x1f\u08ee\u1cde\n\u0325\x1f"
    "\u0f37\u302d\n\u0326\x1f\u0321\u0327\u0339\n\u0328\x1f\u0322\u0345\u1ab7\n\u0329\x1f\u0656\u1cdc\n\u032b"
    "\x1f\u1cd5\n\u032d\x1f\u1cd9\n\u032e\x1f\u1cd8\n\u0331\x1f\u0320\u0952\n\u0333\x1f\u0347\n\u0335\x1f\u0336"
    "\n\u0338\x1f\u0337\n\u0350\x1f\u0357\u08f8\u08ff\n\u0352\x1f\u0900\n\u0354\x1f\u08f9\n\u0355\x1f\u08fa\n"
    "\u0363\x1f\u2df6\n\u0364\x1f\u2df7\n\u0368\x1f\u2ded\n\u036f\x1f\u2def\n\u0393\x1f\u0413\u13b1\u14a5\u213e"
    "\u2c84\U00016f07\U0001d6aa\U0001d6e4\U0001d71e\U0001d758\U0001d792\n\u0393'\x1f\u0490\n\u0393\xb7\x1f"
    "\u14af\n\u0393\u0335\x1f\u0492\n\u0394\x1f\u1403\u2206\u25b3\u2c86\u2d60\U00010285\U000102a3\U00016f1a"
    "\U0001d6ab\U0001d6e5\U0001d71f\U0001d759\U0001d793\U0001f702\n\u0394\xb7\x1f\u140f\n\u0394\u0332\x1f\u2359"
    "\n\u0394\u1420\x1f\u142c\n\u039e\x1f\u2630\u2cb6\U0001d6b5\U0001d6ef\U0001d729\U0001d763\U0001d79d\n\u03a0"
    "\x1f\u041f\u213f\u220f\u2ca0\ua6db\U00016ea6\U0001d6b7\U0001d6f1\U0001d72b\U0001d765\U0001d79f\n\u03a6\x1f"
    "\u0424\u0553\u1240\u16f0\u2caa\U000102b3\U0001d6bd\U0001d6f7\U0001d731\U0001d76b\U0001d7a5\n\u03a8\x1f"
    "\u0470\u16d8\u2cae\U000102b5\U000104d1\U0001d6bf\U0001d6f9\U0001d733\U0001d76d\U0001d7a7\n\u03a9\x1f\u162f"
    "\u1635\u2126\U000102b6\U0001d6c0\U0001d6fa\U0001d734\U0001d76e\U0001d7a8\n\u03b6\x1f\U0001d6c7\U0001d701"
    "\U0001d73b\U0001d775\U0001d7af\n\u03bb\x1f\u2c96\ua7db\U000104db\U0001d6cc\U0001d706\U0001d740\U0001d77a"
    "\U0001d7b4\n\u03bb\u0338\x1f\u019b\n\u03bc\x1f\xb5\U0001d6cd\U0001d707\U0001d741\U0001d77b\U0001d7b5\n"
    "\u03be\x1f\U0001d6cf\U0001d709\U0001d743\U0001d77d\U0001d7b7\n\u03c0\x1f\u03d6\u043f\u1d28\u213c\u2ca1"
    "\U00016ec1\U0001d6d1\U0001d6e1\U0001d70b\U0001d71b\U0001d745\U0001d755\U0001d77f\U0001d78f\U0001d7b9"
    "\U0001d7c9\n\u03c2\x1f\u03db\u2c8b\U0001d6d3\U0001d70d\U0001d747\U0001d781\U0001d7bb\n\u03c7\x1f\u2cad"
    "\uab53\uab55\U0001d6d8\U0001d712\U0001d74c\U0001d786\U0001d7c0\n\u03c8\x1f\u0471\u2caf\U000104f9\U0001d6d9"
    "\U0001d713\U0001d74d\U0001d787\U0001d7c1\n\u03c9\x1f\u2375\u2cb1\ua64d\ua7b7\U0001d6da\U0001d714\U0001d74e"
    "\U0001d788\U0001d7c2\n\u03c9\u0332\x1f\u2379\n\u03d7\x1f\u2ce4\n\u03d8\x1f\U000102ad\U00010312\n\u03dd\x1f"
    "\U0001d7cb\n\u03fc\x1f\u2cc1\n\u040b\x1f\U000104cd\n\u040d\x1f\u0419\n\u040d\u0326\x1f\u048a\n\u0416\u0329"
    "\x1f\u0496\n\u0418\x1f\u0376\ua6a1\U00010425\U0001d20b\n\u0427\x1f\u03e4\n\u0428\x1f\u2cbc\n\u042al\x1f"
    "\ua650\n\u042d\x1f\u2108\n\u0436\u0329\x1f\u0497\n\u0439\x1f\u045d\n\u0439\u0326\x1f\u048b\n\u043b\x1f"
    "\u1d2b\n\u043b\u0326\x1f\u04c6\n\u0447\x1f\u03e5\u0aaa\u0aeb\n\u0459\x1f\uab60\n\u0460\x1f\u13c7\u15ef"
    "\U0001d222\n\u0460\xb7\x1f\u18ed\n\u0460\u0486\u0487\x1f\u047c\n\u04b6\x1f\u04cb\n\u04b7\x1f\u04cc\n\u04bc"
    "\u0328\x1f\u04be\n\u04c3\x1f\U000104bc\n\u04fe\x1f\U0001d202\n\u0548\x1f\u1260\u144e\u2229\u22c2\ua4f5"
    "\U0001d245\n\u0548'\x1f\u1468\n\u0548\xb7\x1f\u145a\n\u0554\x1f\u20bd\u2cc0\u2ce8\U000101a0\n\u0559\x1f"
    "\u02bf\u02d3\n\u0565i\x1f\u0587\n\u0571\x1f\u1294\n\u0574\u0565\x1f\ufb14\n\u0574\u056b\x1f\ufb15\n\u0574"
    "\u056d\x1f\ufb17\n\u0574\u0576\x1f\ufb13\n\u057e\u0576\x1f\ufb16\n\u0596\x1f\u05ad\n\u0598\x1f\u05ae\n"
    "\u0599\x1f\u05a8\n\u059a\x1f\u05a4\n\u05d0\x1f\u2135\ufb21\n\u05d0\u05dc\x1f\ufb4f\n\u05d1\x1f\u2136\n"
    "\u05d2\x1f\u2137\n\u05d3\x1f\u2138\ufb22\n\u05d4\x1f\ufb23\n\u05db\x1f\ufb24\n\u05dc\x1f\ufb25\n\u05dd\x1f"
    "\ufb26\n\u05e2\x1f\ufb20\n\u05e8\x1f\ufb27\n\u05ea\x1f\ufb28\n\u060c\x1f\u066c\u2e32\n\u061b\x1f\u2e35\n"
    "\u061f\x1f\u2e2e\n\u0621\x1f\ufe80\n\u0621\U00010efa\x1f\u06fd\n\u0622\x1f\ufe81\ufe82\n\u0628\x1f\ufe8f"
    "\ufe90\ufe91\ufe92\U0001ee01\U0001ee21\U0001ee61\U0001ee81\U0001eea1\n\u0628o\x1f\ufca0\ufce2\n\u0628"
    "\u062c\x1f\ufc05\ufc9c\n\u0628\u062d\x1f\ufc06\ufc9d\n\u0628\u062d\u0649\x1f\ufdc2\n\u0628\u062e\x1f\ufc07"
    "\ufc4b\ufc9e\ufcd2\n\u0628\u062e\u0649\x1f\ufd9e\n\u0628\u0631\x1f\ufc6a\n\u0628\u0632\x1f\ufc6b\n\u0628"
    "\u0645\x1f\ufc08\ufc6c\ufc9f\ufce1\n\u0628\u0646\x1f\ufc6d\n\u0628\u0649\x1f\ufc09\ufc0a\ufc6e\ufc6f\n"
    "\u0628\u0654\x1f\u08a1\n\u0628\u06db\x1f\u0751\n\u0628\u06e2\x1f\u08b6\n\u0629\x1f\xf6\u06c3\u2365\ufe93"
    "\ufe94\n\u062a\x1f\u067a\ufb5e\ufb5f\ufb60\ufb61\ufe95\ufe96\ufe97\ufe98\U0001ee15\U0001ee35\U0001ee75"
    "\U0001ee95\U0001eeb5\n\u062ao\x1f\ufca5\ufce4\n\u062a\u0306\x1f\u08bf\n\u062a\u062c\x1f\ufc0b\ufca1\n"
    "\u062a\u062c\u0645\x1f\ufd50\n\u062a\u062c\u0649\x1f\ufd9f\ufda0\n\u062a\u062d\x1f\ufc0c\ufca2\n\u062a"
    "\u062d\u062c\x1f\ufd51\ufd52\n\u062a\u062d\u0645\x1f\ufd53\n\u062a\u062e\x1f\ufc0d\ufca3\n\u062a\u062e"
    "\u0645\x1f\ufd54\n\u062a\u062e\u0649\x1f\ufda1\ufda2\n\u062a\u0631\x1f\ufc70\n\u062a\u0632\x1f\ufc71\n"
    "\u062a\u0645\x1f\ufc0e\ufc72\ufca4\ufce3\n\u062a\u0645\u062c\x1f\ufd55\n\u062a\u0645\u062d\x1f\ufd56\n"
    "\u062a\u0645\u062e\x1f\ufd57\n\u062a\u0645\u0649\x1f\ufda3\ufda4\n\u062a\u0646\x1f\ufc73\n\u062a\u0649\x1f"
    "\ufc0f\ufc10\ufc74\ufc75\n\u062c\x1f\ufe9d\ufe9e\ufe9f\ufea0\U0001ee02\U0001ee22\U0001ee42\U0001ee62"
    "\U0001ee82\U0001eea2\n\u062c\u062d\x1f\ufc15\ufca7\n\u062c\u062d\u0649\x1f\ufda6\ufdbe\n\u062c\u0644 "
    "\u062c\u0644l\u0644o\x1f\ufdfb\n\u062c\u0645\x1f\ufc16\ufca8\n\u062c\u0645\u062d\x1f\ufd58\ufd59\n\u062c"
    "\u0645\u0649\x1f\ufda5\ufda7\n\u062c\u0649\x1f\ufd01\ufd02\ufd1d\ufd1e\n\u062d\x1f\ufea1\ufea2\ufea3\ufea4"
    "\U0001ee07\U0001ee27\U0001ee47\U0001ee67\U0001ee87\U0001eea7\n\u062d\u062c\x1f\ufc17\ufca9\n\u062d\u062c"
    "\u0649\x1f\ufdbf\n\u062d\u0645\x1f\ufc18\ufcaa\n\u062d\u0645\u0649\x1f\ufd5a\ufd5b\n\u062d\u0649\x1f\ufcff"
    "\ufd00\ufd1b\ufd1c\n\u062d\u0654\x1f\u0681\u0772\n\u062d\u06db\x1f\u0685\n\u062e\x1f\ufea5\ufea6\ufea7"
    "\ufea8\U0001ee17\U0001ee37\U0001ee57\U0001ee77\U0001ee97\U0001eeb7\n\u062e\u062c\x1f\ufc19\ufcab\n\u062e"
    "\u062d\x1f\ufc1a\n\u062e\u0645\x1f\ufc1b\ufcac\n\u062e\u0649\x1f\ufd03\ufd04\ufd1f\ufd20\n\u062f\x1f\ufea9"
    "\ufeaa\U000102e1\U0001ee03\U0001ee83\U0001eea3\n\u062f\u0302\x1f\u06ee\n\u062f\u0324\u0323\x1f\u08ae\n"
    "\u062f\u0615\x1f\u0688\ufb88\ufb89\n\u062f\u06db\x1f\u068e\u068f\ufb86\ufb87\n\u0630\x1f\ufeab\ufeac"
    "\U0001ee18\U0001ee98\U0001eeb8\n\u0630\u0670\x1f\ufc5b\n\u0631\x1f\ufead\ufeae\U0001ee13\U0001ee93"
    "\U0001eeb3\n\u0631\u0302\x1f\u06ef\n\u0631\u0306\x1f\u0692\n\u0631\u0306\u0307\x1f\u08b9\n\u0631\u0615\x1f"
    "\u0691\ufb8c\ufb8d\n\u0631\u0633\u0648\u0644\x1f\ufdf6\n\u0631\u0649l\u0644\x1f\u20c1\ufdfc\n\u0631\u0654"
    "\x1f\u076c\n\u0631\u0670\x1f\ufc5c\n\u0631\u06db\x1f\u0698\ufb8a\ufb8b\n\u0632\x1f\ufeaf\ufeb0\U0001ee06"
    "\U0001ee86\U0001eea6\n\u0632\u0302\x1f\u08b2\n\u0633\x1f\ufeb1\ufeb2\ufeb3\ufeb4\U0001ee0e\U0001ee2e"
    "\U0001ee4e\U0001ee6e\U0001ee8e\U0001eeae\n\u0633o\x1f\ufce8\ufd31\n\u0633\u0302\x1f\u077e\n\u0633\u062c"
    "\x1f\ufc1c\ufcad\ufd34\n\u0633\u062c\u062d\x1f\ufd5d\n\u0633\u062c\u0649\x1f\ufd5e\n\u0633\u062d\x1f\ufc1d"
    "\ufcae\ufd35\n\u0633\u062d\u062c\x1f\ufd5c\n\u0633\u062e\x1f\ufc1e\ufcaf\ufd36\n\u0633\u062e\u0649\x1f"
    "\ufda8\ufdc6\n\u0633\u0631\x1f\ufd0e\ufd2a\n\u0633\u0645\x1f\ufc1f\ufcb0\ufce7\n\u0633\u0645\u062c\x1f"
    "\ufd61\n\u0633\u0645\u062d\x1f\ufd5f\ufd60\n\u0633\u0645\u0645\x1f\ufd62\ufd63\n\u0633\u0649\x1f\ufcfb"
    "\ufcfc\ufd17\ufd18\n\u0633\u06db\x1f\u0634\ufeb5\ufeb6\ufeb7\ufeb8\U0001ee14\U0001ee34\U0001ee54\U0001ee74"
    "\U0001ee94\U0001eeb4\n\u0633\u06dbo\x1f\ufcea\ufd32\n\u0633\u06db\u062c\x1f\ufd09\ufd25\ufd2d\ufd37\n"
    "\u0633\u06db\u062c\u0649\x1f\ufd69\n\u0633\u06db\u062d\x1f\ufd0a\ufd26\ufd2e\ufd38\n\u0633\u06db\u062d"
    "\u0645\x1f\ufd67\ufd68\n\u0633\u06db\u062d\u0649\x1f\ufdaa\n\u0633\u06db\u062e\x1f\ufd0b\ufd27\ufd2f\ufd39"
    "\n\u0633\u06db\u0631\x1f\ufd0d\ufd29\n\u0633\u06db\u0645\x1f\ufce9\ufd0c\ufd28\ufd30\n\u0633\u06db\u0645"
    "\u062e\x1f\ufd6a\ufd6b\n\u0633\u06db\u0645\u0645\x1f\ufd6c\ufd6d\n\u0633\u06db\u0649\x1f\ufcfd\ufcfe\ufd19"
    "\ufd1a\n\u0635\x1f\ufeb9\ufeba\ufebb\ufebc\U000102f2\U0001ee11\U0001ee31\U0001ee51\U0001ee71\U0001ee91"
    "\U0001eeb1\n\u0635\u0324\u0323\x1f\u08af\n\u0635\u062d\x1f\ufc20\ufcb1\n\u0635\u062d\u062d\x1f\ufd64\ufd65"
    "\n\u0635\u062d\u0649\x1f\ufda9\n\u0635\u062e\x1f\ufcb2\n\u0635\u0631\x1f\ufd0f\ufd2b\n\u0635\u0644\u0639"
    "\u0645\x1f\ufdf5\n\u0635\u0644\u0649\x1f\ufdf0\ufdf9\n\u0635\u0644\u0649 l\u0644\u0644o \u0639\u0644\u0649"
    "o \u0648\u0633\u0644\u0645\x1f\ufdfa\n\u0635\u0645\x1f\ufc21\ufcb3\n\u0635\u0645\u0645\x1f\ufd66\ufdc5\n"
    "\u0635\u0649\x1f\ufd05\ufd06\ufd21\ufd22\n\u0635\u06db\x1f\u069e\n\u0636\x1f\ufebd\ufebe\ufebf\ufec0"
    "\U0001ee19\U0001ee39\U0001ee59\U0001ee79\U0001ee99\U0001eeb9\n\u0636\u062c\x1f\ufc22\ufcb4\n\u0636\u062d"
    "\x1f\ufc23\ufcb5\n\u0636\u062d\u0649\x1f\ufd6e\ufdab\n\u0636\u062e\x1f\ufc24\ufcb6\n\u0636\u062e\u0645\x1f"
    "\ufd6f\ufd70\n\u0636\u0631\x1f\ufd10\ufd2c\n\u0636\u0645\x1f\ufc25\ufcb7\n\u0636\u0649\x1f\ufd07\ufd08"
    "\ufd23\ufd24\n\u0637\x1f\ufec1\ufec2\ufec3\ufec4\U000102e8\U0001ee08\U0001ee68\U0001ee88\U0001eea8\n\u0637"
    "\u062d\x1f\ufc26\ufcb8\n\u0637\u0645\x1f\ufc27\ufd33\ufd3a\n\u0637\u0645\u062d\x1f\ufd71\ufd72\n\u0637"
    "\u0645\u0645\x1f\ufd73\n\u0637\u0645\u0649\x1f\ufd74\n\u0637\u0649\x1f\ufcf5\ufcf6\ufd11\ufd12\n\u0637"
    "\u06db\x1f\u069f\n\u0638\x1f\ufec5\ufec6\ufec7\ufec8\U0001ee1a\U0001ee7a\U0001ee9a\U0001eeba\n\u0638\u0645"
    "\x1f\ufc28\ufcb9\ufd3b\n\u0639\x1f\u060f\ufec9\ufeca\ufecb\ufecc\U0001ee0f\U0001ee2f\U0001ee4f\U0001ee6f"
    "\U0001ee8f\U0001eeaf\n\u0639\u062c\x1f\ufc29\ufcba\n\u0639\u062c\u0645\x1f\ufd75\ufdc4\n\u0639\u0644\u0649"
    "o\x1f\ufdf7\n\u0639\u0645\x1f\ufc2a\ufcbb\n\u0639\u0645\u0645\x1f\ufd76\ufd77\n\u0639\u0645\u0649\x1f"
    "\ufd78\ufdb6\n\u0639\u0649\x1f\ufcf7\ufcf8\ufd13\ufd14\n\u063a\x1f\ufecd\ufece\ufecf\ufed0\U0001ee1b"
    "\U0001ee3b\U0001ee5b\U0001ee7b\U0001ee9b\U0001eebb\n\u063a\u062c\x1f\ufc2b\ufcbc\n\u063a\u0645\x1f\ufc2c"
    "\ufcbd\n\u063a\u0645\u0645\x1f\ufd79\n\u063a\u0645\u0649\x1f\ufd7a\ufd7b\n\u063a\u0649\x1f\ufcf9\ufcfa"
    "\ufd15\ufd16\n\u0641\x1f\u06a7\ufed1\ufed2\ufed3\ufed4\U0001ee10\U0001ee30\U0001ee70\U0001ee90\U0001eeb0\n"
    "\u0641\u062c\x1f\ufc2d\ufcbe\n\u0641\u062d\x1f\ufc2e\ufcbf\n\u0641\u062e\x1f\ufc2f\ufcc0\n\u0641\u062e"
    "\u0645\x1f\ufd7c\ufd7d\n\u0641\u0645\x1f\ufc30\ufcc1\n\u0641\u0645\u0649\x1f\ufdc1\n\u0641\u0649\x1f\ufc31"
    "\ufc32\ufc7c\ufc7d\n\u0642\x1f\ufed5\ufed6\ufed7\ufed8\U0001ee12\U0001ee32\U0001ee52\U0001ee72\U0001ee92"
    "\U0001eeb2\n\u0642\u062d\x1f\ufc33\ufcc2\n\u0642\u0644\u0649\x1f\ufdf1\n\u0642\u0645\x1f\ufc34\ufcc3\n"
    "\u0642\u0645\u062d\x1f\ufd7e\ufdb4\n\u0642\u0645\u0645\x1f\ufd7f\n\u0642\u0645\u0649\x1f\ufdb2\n\u0642"
    "\u0649\x1f\ufc35\ufc36\ufc7e\ufc7f\n\u0643\x1f\u06a9\u06aa\ufb8e\ufb8f\ufb90\ufb91\ufed9\ufeda\ufedb\ufedc"
    "\U0001ee0a\U0001ee2a\U0001ee6a\n\u0643l\x1f\ufc37\ufc80\n\u0643\u0306\x1f\u08c2\n\u0643\u062c\x1f\ufc38"
    "\ufcc4\n\u0643\u062d\x1f\ufc39\ufcc5\n\u0643\u062e\x1f\ufc3a\ufcc6\n\u0643\u0644\x1f\ufc3b\ufc81\ufcc7"
    "\ufceb\n\u0643\u0645\x1f\ufc3c\ufc82\ufcc8\ufcec\n\u0643\u0645\u0645\x1f\ufdbb\ufdc3\n\u0643\u0645\u0649"
    "\x1f\ufdb7\n\u0643\u0649\x1f\ufc3d\ufc3e\ufc83\ufc84\n\u0643\u06db\x1f\u06ad\u0763\ufbd3\ufbd4\ufbd5\ufbd6"
    "\n\u0644\x1f\ufedd\ufede\ufedf\ufee0\U0001ee0b\U0001ee2b\U0001ee4b\U0001ee8b\U0001eeab\n\u0644l\x1f\ufefb"
    "\ufefc\n\u0644l\u0655\x1f\ufef9\ufefa\n\u0644l\u0674\x1f\ufef7\ufef8\n\u0644o\x1f\ufccd\n\u0644\u0306\x1f"
    "\u06b5\n\u0644\u0622\x1f\ufef5\ufef6\n\u0644\u062c\x1f\ufc3f\ufcc9\n\u0644\u062c\u062c\x1f\ufd83\ufd84\n"
    "\u0644\u062c\u0645\x1f\ufdba\ufdbc\n\u0644\u062c\u0649\x1f\ufdac\n\u0644\u062d\x1f\ufc40\ufcca\n\u0644"
    "\u062d\u0645\x1f\ufd80\ufdb5\n\u0644\u062d\u0649\x1f\ufd81\ufd82\n\u0644\u062e\x1f\ufc41\ufccb\n\u0644"
    "\u062e\u0645\x1f\ufd85\ufd86\n\u0644\u0645\x1f\ufc42\ufc85\ufccc\ufced\n\u0644\u0645\u062d\x1f\ufd87\ufd88"
    "\n\u0644\u0645\u0649\x1f\ufdad\n\u0644\u0649\x1f\ufc43\ufc44\ufc86\ufc87\n\u0644\u06db\x1f\u06b7\n\u0645"
    "\x1f\ufee1\ufee2\ufee3\ufee4\U0001ee0c\U0001ee2c\U0001ee6c\U0001ee8c\U0001eeac\n\u0645l\x1f\ufc88\n\u0645"
    "\u062c\x1f\ufc45\ufcce\n\u0645\u062c\u062d\x1f\ufd8c\n\u0645\u062c\u062e\x1f\ufd92\n\u0645\u062c\u0645\x1f"
    "\ufd8d\n\u0645\u062c\u0649\x1f\ufdc0\n\u0645\u062d\x1f\ufc46\ufccf\n\u0645\u062d\u062c\x1f\ufd89\n\u0645"
    "\u062d\u0645\x1f\ufd8a\n\u0645\u062d\u0645\u062f\x1f\ufdf4\n\u0645\u062d\u0649\x1f\ufd8b\n\u0645\u062e\x1f"
    "\ufc47\ufcd0\n\u0645\u062e\u062c\x1f\ufd8e\n\u0645\u062e\u0645\x1f\ufd8f\n\u0645\u062e\u0649\x1f\ufdb9\n"
    "\u0645\u0645\x1f\ufc48\ufc89\ufcd1\n\u0645\u0645\u0649\x1f\ufdb1\n\u0645\u0649\x1f\ufc49\ufc4a\n\u0645"
    "\u06db\x1f\u08a7\n\u0645\U00010efa\x1f\u06fe\n\u0646\x1f\ufee5\ufee6\ufee7\ufee8\U00010ec6\U0001ee0d"
    "\U0001ee2d\U0001ee4d\U0001ee6d\U0001ee8d\U0001eead\n\u0646o\x1f\ufcd6\ufcef\n\u0646\u0306\x1f\u0769\n"
    "\u0646\u0615\x1f\u0768\n\u0646\u062c\u062d\x1f\ufdb8\ufdbd\n\u0646\u062c\u0645\x1f\ufd97\ufd98\n\u0646"
    "\u062c\u0649\x1f\ufd99\ufdc7\n\u0646\u062d\x1f\ufc4c\ufcd3\n\u0646\u062d\u0645\x1f\ufd95\n\u0646\u062d"
    "\u0649\x1f\ufd96\ufdb3\n\u0646\u062e\x1f\ufc4d\ufcd4\n\u0646\u0631\x1f\ufc8a\n\u0646\u0632\x1f\ufc8b\n"
    "\u0646\u0645\x1f\ufc4e\ufc8c\ufcd5\ufcee\n\u0646\u0645\u0649\x1f\ufd9a\ufd9b\n\u0646\u0646\x1f\ufc8d\n"
    "\u0646\u0649\x1f\ufc4f\ufc50\ufc8e\ufc8f\n\u0648\x1f\u08b1\ufeed\ufeee\U000102e4\U0001ee05\U0001ee85"
    "\U0001eea5\n\u0648\u0302\x1f\u06c9\ufbe2\ufbe3\n\u0648\u0306\x1f\u06c6\ufbd9\ufbda\n\u0648\u0313\x1f\u06c7"
    "\ufbd7\ufbd8\n\u0648\u0313\u0674\x1f\u0677\ufbdd\n\u0648\u0633\u0644\u0645\x1f\ufdf8\n\u0648\u0670\x1f"
    "\u06c8\ufbdb\ufbdc\n\u0648\u0674\x1f\u0624\u0676\ufe85\ufe86\n\u0648\u06db\x1f\u06cb\ufbde\ufbdf\n\u0649"
    "\x1f\u064a\u066e\u06ba\u06cc\u06d2\u08bd\ufb9e\ufb9f\ufbae\ufbaf\ufbe8\ufbe9\ufbfc\ufbfd\ufbfe\ufbff\ufeef"
    "\ufef0\ufef1\ufef2\ufef3\ufef4\U0001ee09\U0001ee1c\U0001ee1d\U0001ee29\U0001ee49\U0001ee5d\U0001ee69"
    "\U0001ee7c\U0001ee89\U0001eea9\n\u0649o\x1f\ufcde\ufcf1\n\u0649\u0302\x1f\u063d\n\u0649\u0306\x1f\u06ce"
    "\u0756\n\u0649\u0306\u0307\x1f\u08ba\n\u0649\u030a\x1f\u088f\n\u0649\u0615\x1f\u0679\u06bb\ufb66\ufb67"
    "\ufb68\ufb69\ufba0\ufba1\ufba2\ufba3\n\u0649\u0615\u0306\x1f\u08c0\n\u0649\u062c\x1f\ufc55\ufcda\n\u0649"
    "\u062c\u0649\x1f\ufdaf\n\u0649\u062d\x1f\ufc56\ufcdb\n\u0649\u062d\u0649\x1f\ufdae\n\u0649\u062e\x1f\ufc57"
    "\ufcdc\n\u0649\u0631\x1f\ufc91\n\u0649\u0632\x1f\ufc92\n\u0649\u0645\x1f\ufc58\ufc93\ufcdd\ufcf0\n\u0649"
    "\u0645\u0645\x1f\ufd9c\ufd9d\n\u0649\u0645\u0649\x1f\ufdb0\n\u0649\u0646\x1f\ufc94\n\u0649\u0649\x1f\ufc59"
    "\ufc5a\ufc95\ufc96\n\u0649\u0654\x1f\u08a8\n\u0649\u0670\x1f\ufc5d\ufc90\n\u0649\u0674\x1f\u0626\u0678"
    "\ufe89\ufe8a\ufe8b\ufe8c\n\u0649\u0674l\x1f\ufbea\ufbeb\n\u0649\u0674o\x1f\ufbec\ufbed\ufc9b\ufce0\n\u0649"
    "\u0674\u062c\x1f\ufc00\ufc97\n\u0649\u0674\u062d\x1f\ufc01\ufc98\n\u0649\u0674\u062e\x1f\ufc99\n\u0649"
    "\u0674\u0631\x1f\ufc64\n\u0649\u0674\u0632\x1f\ufc65\n\u0649\u0674\u0645\x1f\ufc02\ufc66\ufc9a\ufcdf\n"
    "\u0649\u0674\u0646\x1f\ufc67\n\u0649\u0674\u0648\x1f\ufbee\ufbef\n\u0649\u0674\u0648\u0306\x1f\ufbf2\ufbf3"
    "\n\u0649\u0674\u0648\u0313\x1f\ufbf0\ufbf1\n\u0649\u0674\u0648\u0670\x1f\ufbf4\ufbf5\n\u0649\u0674\u0649"
    "\x1f\ufbf9\ufbfa\ufbfb\ufc03\ufc04\ufc68\ufc69\n\u0649\u0674\u067b\x1f\ufbf6\ufbf7\ufbf8\n\u0649\u06db\x1f"
    "\u062b\u063f\u067e\u06bd\u06d1\u0752\ufb56\ufb57\ufb58\ufb59\ufe99\ufe9a\ufe9b\ufe9c\U0001ee16\U0001ee36"
    "\U0001ee76\U0001ee96\U0001eeb6\n\u0649\u06dbo\x1f\ufce6\n\u0649\u06db\u0306\x1f\u08be\n\u0649\u06db\u062c"
    "\x1f\ufc11\n\u0649\u06db\u0631\x1f\ufc76\n\u0649\u06db\u0632\x1f\ufc77\n\u0649\u06db\u0645\x1f\ufc12\ufc78"
    "\ufca6\ufce5\n\u0649\u06db\u0646\x1f\ufc79\n\u0649\u06db\u0649\x1f\ufc13\ufc14\ufc7a\ufc7b\n\u0649\u06db"
    "\u06e2\x1f\u08b7\n\u064c\x1f\u08e5\u08e8\u08f1\n\u064d\x1f\u08f2\n\u0650\x1f\u0317\u061a\n\u0655\x1f\u065f"
    "\n\u0662\x1f\u06f2\ua9cf\n\u0663\x1f\u06f3\U0001e8c9\n\u0664\x1f\u06f4\n\u0666\x1f\u06f6\n\u0669\x1f\u06f9"
    "\u0967\U000118e4\n\u0670\x1f\u030d\n\u0671\x1f\ufb50\ufb51\n\u067b\x1f\u06d0\ufb52\ufb53\ufb54\ufb55\ufbe4"
    "\ufbe5\ufbe6\ufbe7\n\u067f\x1f\ufb62\ufb63\ufb64\ufb65\n\u0680\x1f\ufb5a\ufb5b\ufb5c\ufb5d\U00010ec7\n"
    "\u0683\x1f\ufb76\ufb77\ufb78\ufb79\n\u0684\x1f\ufb72\ufb73\ufb74\ufb75\n\u0686\x1f\ufb7a\ufb7b\ufb7c\ufb7d"
    "\n\u0686\u0306\x1f\u08c1\n\u0687\x1f\ufb7e\ufb7f\ufb80\ufb81\n\u068a\u0615\x1f\u068b\n\u068c\x1f\ufb84"
    "\ufb85\n\u068d\x1f\ufb82\ufb83\n\u0697\u0615\x1f\u0771\n\u06a1\x1f\u066f\u08bb\u08bc\U0001ee1e\U0001ee1f"
    "\U0001ee5f\U0001ee7e\n\u06a1\u06db\x1f\u06a4\u06a8\ufb6a\ufb6b\ufb6c\ufb6d\n\u06a2\u06db\x1f\u08a4\n\u06a6"
    "\x1f\ufb6e\ufb6f\ufb70\ufb71\n\u06ac\x1f\u0762\n\u06af\x1f\u08b0\ufb92\ufb93\ufb94\ufb95\n\u06af\u06db\x1f"
    "\u06b4\n\u06b1\x1f\ufb9a\ufb9b\ufb9c\ufb9d\n\u06b3\x1f\ufb96\ufb97\ufb98\ufb99\n\u06c0\x1f\u06c2\ufba4"
    "\ufba5\n\u06c5\x1f\ufbe0\ufbe1\n\u06d3\x1f\ufbb0\ufbb1\n\u06db\x1f\u1ab4\u20db\n\u073c\x1f\u0742\n\u0754"
    "\x1f\u0767\u08a9\n\u0905\u0306\x1f\u0972\n\u0905\u093a\x1f\u0973\n\u0905\u093e\x1f\u0906\n\u0905\u093e"
    "\u0306\x1f\u0911\n\u0905\u093e\u093a\x1f\u0974\n\u0905\u093e\u0946\x1f\u0912\n\u0905\u093e\u0948\x1f\u0914"
    "\n\u0905\u093e\U00011b64\x1f\u0913\n\u0905\u0946\x1f\u0904\n\u0905\u094f\x1f\u0975\n\u0909\x1f\u0a24\n"
    "\u090f\u0306\x1f\u090d\n\u090f\u0946\x1f\u090e\n\u090f\U00011b64\x1f\u0910\n\u091f\x1f\u0a1f\n\u0920\x1f"
    "\u0a20\n\u0922\x1f\u0a2b\n\u0924\u094d\u0924\x1f\u0a1c\n\u092a\x1f\u0a27\n\u092a\u094d\u091f\x1f\u0a72\n"
    "\u092a\u094d\u091f\u09bf\x1f\u0a07\n\u092a\u094d\u091f\u0a40\x1f\u0a08\n\u092a\u094d\u091f\U00011b64\x1f"
    "\u0a0f\n\u092d\x1f\u0a2e\n\u092e\x1f\u0a38\n\u0930\u094d\u0907\x1f\u0908\n\u0935\x1f\u0a15\n\u0939\x1f"
    "\u0a35\n\u093a\x1f\U000111cb\U00011b60\n\u093d\x1f\u0abd\n\u093e\u0306\x1f\u0949\n\u093e\u093a\x1f\u093b\n"
    "\u0941\x1f\u0ac1\n\u0942\x1f\u0ac2\n\u0946\x1f\u0a4b\n\u0948\x1f\u0a48\n\u094d\x1f\u0a4d\u0acd\n\u0964\x1f"
    "\ua830\n\u0964\u0964\x1f\u0965\n\u0968\x1f\u0ab0\u0ae8\n\u096a\x1f\u0aea\n\u096e\x1f\u0aee\n\u0970\x1f"
    "\u0af0\u26ac\U000110bb\U000111c7\n\u0971\x1f\u02d9\u0d4e\n\u0983\x1f\u0a03\u0c03\u0c83\u0d03\u0d83\u1038"
    "\U000114c1\n\u0985\u09be\x1f\u0986\n\u098b\u09c3\x1f\u09e0\u09e1\n\u0998\x1f\U00011492\n\u099a\x1f"
    "\U00011494\n\u099c\x1f\U00011496\n\u099e\x1f\U00011498\n\u099f\x1f\U00011499\n\u09a1\x1f\U0001149b\n\u09a3"
    "\x1f\U000114aa\n\u09a4\x1f\U0001149e\n\u09a5\x1f\U0001149f\n\u09a6\x1f\U000114a0\n\u09a7\x1f\U000114a1\n"
    "\u09a8\x1f\U000114a2\n\u09aa\x1f\U000114a3\n\u09ac\x1f\U000114a9\n\u09ae\x1f\U000114a7\n\u09af\x1f"
    "\U000114a8\n\u09b0\x1f\u09f0\U000114ab\n\u09b2\x1f\U0001149d\n\u09b7\x1f\U000114ad\n\u09b8\x1f\U000114ae\n"
    "\u09bd\x1f\U000114c4\n\u09be\x1f\U000114b0\n\u09bf\x1f\u093f\u0a3f\U000114b1\n\u09c7\x1f\U000114b9\n\u09cb"
    "\x1f\U000114bc\n\u09cc\x1f\U000114be\n\u09cd\x1f\U000114c2\n\u09d7\x1f\U000114bd\n\u09e7\x1f\U000114d1\n"
    "\u09e8\x1f\U000114d2\n\u09ec\x1f\U000114d6\n\u0a05\u0948\x1f\u0a10\n\u0a05\u0a3e\x1f\u0a06\n\u0a05\u0a4c"
    "\x1f\u0a14\n\u0a73\U00011b62\x1f\u0a09\n\u0a73\U00011b63\x1f\u0a0a\n\u0a85\u0abe\x1f\u0a86\n\u0a85\u0abe"
    "\u0ac5\x1f\u0a91\n\u0a85\u0abe\u0ac7\x1f\u0a93\n\u0a85\u0abe\u0ac8\x1f\u0a94\n\u0a85\u0ac5\x1f\u0a8d\n"
    "\u0a85\u0ac7\x1f\u0a8f\n\u0a85\u0ac8\x1f\u0a90\n\u0b05\u0b3e\x1f\u0b06\n\u0b47\x1f\u1031\n\u0b85\x1f\u0bee"
    "\n\u0b88\x1f\u0bb0\u0bbe\n\u0b88\u0bc1\x1f\u0beb\n\u0b89\x1f\u0be8\u0d09\n\u0b89\u0bb3\x1f\u0b8a\n\u0b89"
    "\u0d57\x1f\u0d0a\n\u0b8e\x1f\u0bed\n\u0b8e\u0bb5\x1f\u0bf7\n\u0b90\x1f\u0b9c\u0d1c\n\u0b92\u0bb3\x1f\u0b94"
    "\n\u0b95\x1f\u0be7\n\u0b9a\x1f\u0bea\n\u0b9a\u0bc1\x1f\u0bec\n\u0b9a\u0bc2\x1f\u0bf2\n\u0b9f\u0bbf\x1f"
    "\u0d3a\n\u0ba3\x1f\u0d23\n\u0ba3\u0d4d\x1f\u0d7a\n\u0ba8\u0bc0\x1f\u0bfa\n\u0ba9\x1f\u0bc8\n\u0bae\x1f"
    "\u0d25\n\u0bae\u0bc0\x1f\u0bf4\n\u0baf\x1f\u0bf0\n\u0bb3\x1f\u0bd7\n\u0bb4\x1f\u0d34\n\u0bb5\x1f\u0d16\n"
    "\u0bb6\x1f\u0bb8\u0d36\n\u0bb7\x1f\u0bf8\n\u0bbf\x1f\u0d3f\u0d40\n\u0bc6\x1f\u0d46\n\u0bc6\u0b88\x1f\u0bca"
    "\n\u0bc6\u0bb3\x1f\u0bcc\n\u0bc6\u0bc6\x1f\u0d48\n\u0bc6\u0d0e\x1f\u0d10\n\u0bc7\x1f\u0d47\n\u0bc7\u0b88"
    "\x1f\u0bcb\n\u0bf3\x1f\u0bf5\n\u0c05\x1f\u0c85\n\u0c06\x1f\u0c86\n\u0c07\x1f\u0c87\n\u0c0b\u0c3e\x1f\u0c60"
    "\n\u0c0c\u0c3e\x1f\u0c61\n\u0c10\x1f\u0c90\n\u0c12\x1f\u0c92\n\u0c12\u0c4c\x1f\u0c14\u0c94\n\u0c12\u0c55"
    "\x1f\u0c13\u0c93\n\u0c17\x1f\u0c97\n\u0c1c\x1f\u0c9c\n\u0c1d\x1f\u0c9d\n\u0c1e\x1f\u0c9e\n\u0c1f\x1f\u0c9f"
    "\n\u0c21\u0323\x1f\u0c22\n\u0c23\x1f\u0ca3\n\u0c26\x1f\u0ca6\n\u0c27\u05bc\x1f\u0c25\n\u0c28\x1f\u0ca8\n"
    "\u0c2c\u0323\x1f\u0c2d\n\u0c2f\x1f\u0caf\n\u0c30\x1f\u0cb0\n\u0c30\u05bc\x1f\u0c20\n\u0c31\x1f\u0cb1\n"
    "\u0c32\x1f\u0cb2\n\u0c33\x1f\u0cb3\n\u0c35\u0323\x1f\u0c37\n\u0c35\u0c3e\x1f\u0c39\n\u0c35\u0c41\x1f\u0c2e"
    "\n\u0c3f\x1f\u0cbf\n\u0c41\x1f\u0cc1\n\u0c41\u0c3e\x1f\u0c42\n\u0c43\x1f\u0cc3\n\u0c43\u0c3e\x1f\u0c44\n"
    "\u0c5c\x1f\u0cdc\n\u0c67\x1f\u0ce7\n\u0c68\x1f\u0ce8\n\u0c6f\x1f\u0cef\n\u0c8c\u0cbe\x1f\u0ce1\n\u0c96"
    "\u0323\x1f\u0c16\n\u0d07\u0d57\x1f\u0d08\n\u0d12\u0d3e\x1f\u0d13\n\u0d12\u0d57\x1f\u0d14\n\u0d1e\x1f\u0d61"
    "\n\u0d26\u0d4d\u0d30\x1f\u0d6b\n\u0d28\u0d41\x1f\u0d0c\u0d19\u0d79\n\u0d28\u0d4d\x1f\u0d6f\u0d7b\n\u0d28"
    "\u0d4d\u0d28\x1f\u0d6c\n\u0d28\u0d4d\u0d2e\x1f\u0d5a\n\u0d30\x1f\u0d31\u1002\u10d8\n\u0d30\u0d4d\x1f\u0d6a"
    "\u0d7c\n\u0d30\u102c\x1f\u1000\n\u0d30\u102c\u1039\u0d30\u102c\x1f\u1023\n\u0d30\u103e\x1f\u1081\n\u0d32"
    "\u0d4d\x1f\u0d7d\n\u0d33\u0d4d\x1f\u0d7e\n\u0d35\u0d4d\u0d30\x1f\u0d6e\n\u0d39\u0d4d\u0d2e\x1f\u0d76\n"
    "\u0d41\x1f\u0d42\u0d43\n\u0d91\x1f\u0db5\n\u0d91\u0dca\x1f\u0d92\n\u0d91\u0dd9\x1f\u0d93\n\u0d94\x1f\u0db9"
    "\n\u0d9b\x1f\u0db6\n\u0da0\x1f\u0dc0\n\u0da2\x1f\u0dea\n\u0daf\x1f\u0deb\n\u0db7\x1f\u0dc4\n\u0dc3\u0dd8"
    "\x1f\u0d8d\n\u0de8\u0dcf\x1f\u0de9\n\u0de8\u0dd3\x1f\u0def\n\u0e02\x1f\u0e03\n\u0e04\x1f\u0e14\u0e15\n"
    "\u0e06\x1f\u0e21\n\u0e08\x1f\u0e88\n\u0e0a\x1f\u0e0b\n\u0e0e\x1f\u0e0f\n\u0e11\x1f\u0e17\n\u0e1a\x1f\u0e9a"
    "\n\u0e1b\x1f\u0e9b\n\u0e1d\x1f\u0e9d\n\u0e1e\x1f\u0e9e\n\u0e1f\x1f\u0e9f\n\u0e20\x1f\u0e26\n\u0e22\x1f"
    "\u0e8d\n\u0e2f\x1f\u17d4\n\u0e32\x1f\u0e45\n\u0e34\x1f\u17b7\n\u0e35\x1f\u17b8\n\u0e36\x1f\u17b9\n\u0e37"
    "\x1f\u17ba\n\u0e38\x1f\u0eb8\n\u0e39\x1f\u0eb9\n\u0e40\u0e40\x1f\u0e41\n\u0e48\x1f\u0ec8\u17cb\n\u0e49\x1f"
    "\u0ec9\n\u0e4a\x1f\u0eca\n\u0e4b\x1f\u0ecb\n\u0e4f\x1f\u17d9\n\u0e5a\x1f\u17d5\n\u0e5b\x1f\u17da\n\u0eab"
    "\u0e99\x1f\u0edc\n\u0eab\u0ea1\x1f\u0edd\n\u0f0b\x1f\u0f0c\n\u0f0d\u0f0d\x1f\u0f0e\n\u0f1a\u0f1a\x1f\u0f1b"
    "\n\u0f1a\u0f1d\x1f\u0f1f\n\u0f1d\u0f1a\x1f\u0fce\n\u0f1d\u0f1d\x1f\u0f1e\n\u0f60\u0f74\u0f82\u0f14\x1f"
    "\u0f03\n\u0f60\u0f74\u0f82\u0f7f\x1f\u0f02\n\u0f62\x1f\u0f6a\n\u0f68\u0f7c\u0f7e\x1f\u0f00\n\u0f7a\u0f7a"
    "\x1f\u0f7b\n\u0f7c\u0f7c\x1f\u0f7d\n\u0fb2\u0f71\u0f80\x1f\u0f77\n\u0fb3\u0f71\u0f80\x1f\u0f79\n\u1003"
    "\u103e\x1f\u1070\n\u1015\u102c\x1f\u101f\n\u1015\u102c\u103e\x1f\u106f\n\u1015\u103e\x1f\u1066\n\u101b"
    "\u103e\x1f\u1061\n\u101e\u103c\x1f\u1029\n\u101e\u103c\u0b47\u102c\u103a\x1f\u102a\n\u1041\x1f\u1065\n"
    "\u104a\u104a\x1f\u104b\n\u107d\u103e\x1f\u107e\n\u1083\u030a\x1f\u109e\n\u1100\x1f\u11a8\u3131\n\u1100"
    "\u1100\x1f\u1101\u11a9\u3132\n\u1100\u1102\x1f\u11fa\n\u1100\u1103\x1f\u115a\n\u1100\u1105\x1f\u11c3\n"
    "\u1100\u1107\x1f\u11fb\n\u1100\u1109\x1f\u11aa\u3133\n\u1100\u1109\u1100\x1f\u11c4\n\u1100\u110e\x1f\u11fc"
    "\n\u1100\u110f\x1f\u11fd\n\u1100\u1112\x1f\u11fe\n\u1102\x1f\u11ab\u3134\n\u1102\u1100\x1f\u1113\u11c5\n"
    "\u1102\u1102\x1f\u1114\u11ff\u3165\n\u1102\u1103\x1f\u1115\u11c6\u3166\n\u1102\u1105\x1f\ud7cb\n\u1102"
    "\u1107\x1f\u1116\n\u1102\u1109\x1f\u115b\u11c7\u3167\n\u1102\u110c\x1f\u115c\u11ac\u3135\n\u1102\u110e\x1f"
    "\ud7cc\n\u1102\u1110\x1f\u11c9\n\u1102\u1112\x1f\u115d\u11ad\u3136\n\u1102\u1140\x1f\u11c8\u3168\n\u1102"
    "\u116e\u4e28\x1f\u2f59\u723f\n\u1103\x1f\u11ae\u3137\n\u1103\u1100\x1f\u1117\u11ca\n\u1103\u1103\x1f\u1104"
    "\u3138\ud7cd\n\u1103\u1103\u1107\x1f\ud7ce\n\u1103\u1105\x1f\u115e\u11cb\n\u1103\u1106\x1f\ua960\n\u1103"
    "\u1107\x1f\ua961\ud7cf\n\u1103\u1109\x1f\ua962\ud7d0\n\u1103\u1109\u1100\x1f\ud7d1\n\u1103\u110c\x1f\ua963"
    "\ud7d2\n\u1103\u110e\x1f\ud7d3\n\u1103\u1110\x1f\ud7d4\n\u1105\x1f\u11af\u3139\n\u1105\u1100\x1f\u11b0"
    "\u313a\ua964\n\u1105\u1100\u1100\x1f\ua965\ud7d5\n\u1105\u1100\u1109\x1f\u11cc\u3169\n\u1105\u1100\u1112"
    "\x1f\ud7d6\n\u1105\u1102\x1f\u1118\u11cd\n\u1105\u1103\x1f\u11ce\u316a\ua966\n\u1105\u1103\u1103\x1f\ua967"
    "\n\u1105\u1103\u1112\x1f\u11cf\n\u1105\u1105\x1f\u1119\u11d0\n\u1105\u1105\u110f\x1f\ud7d7\n\u1105\u1106"
    "\x1f\u11b1\u313b\ua968\n\u1105\u1106\u1100\x1f\u11d1\n\u1105\u1106\u1109\x1f\u11d2\n\u1105\u1106\u1112\x1f"
    "\ud7d8\n\u1105\u1107\x1f\u11b2\u313c\ua969\n\u1105\u1107\u1103\x1f\ud7d9\n\u1105\u1107\u1107\x1f\ua96a\n"
    "\u1105\u1107\u1109\x1f\u11d3\u316b\n\u1105\u1107\u110b\x1f\u11d5\ua96b\n\u1105\u1107\u1111\x1f\ud7da\n"
    "\u1105\u1107\u1112\x1f\u11d4\n\u1105\u1109\x1f\u11b3\u313d\ua96c\n\u1105\u1109\u1109\x1f\u11d6\n\u1105"
    "\u110b\x1f\u111b\ud7dd\n\u1105\u110c\x1f\ua96d\n\u1105\u110f\x1f\u11d8\ua96e\n\u1105\u1110\x1f\u11b4\u313e"
    "\n\u1105\u1111\x1f\u11b5\u313f\n\u1105\u1112\x1f\u111a\u113b\u11b6\u3140\ud7f2\n\u1105\u1140\x1f\u11d7"
    "\u316c\n\u1105\u114c\x1f\ud7db\n\u1105\u1159\x1f\u11d9\u316d\n\u1105\u1159\u1112\x1f\ud7dc\n\u1106\x1f"
    "\u11b7\u3141\n\u1106\u1100\x1f\u11da\ua96f\n\u1106\u1102\x1f\ud7de\n\u1106\u1102\u1102\x1f\ud7df\n\u1106"
    "\u1103\x1f\ua970\n\u1106\u1105\x1f\u11db\n\u1106\u1106\x1f\ud7e0\n\u1106\u1107\x1f\u111c\u11dc\u316e\n"
    "\u1106\u1107\u1109\x1f\ud7e1\n\u1106\u1109\x1f\u11dd\u316f\ua971\n\u1106\u1109\u1109\x1f\u11de\n\u1106"
    "\u110b\x1f\u111d\u11e2\u3171\n\u1106\u110c\x1f\ud7e2\n\u1106\u110e\x1f\u11e0\n\u1106\u1112\x1f\u11e1\n"
    "\u1106\u1140\x1f\u11df\u3170\n\u1106\u1161\x1f\u535f\n\u1107\x1f\u11b8\u3142\n\u1107\u1100\x1f\u111e\u3172"
    "\n\u1107\u1102\x1f\u111f\n\u1107\u1103\x1f\u1120\u3173\ud7e3\n\u1107\u1105\x1f\u11e3\n\u1107\u1105\u1111"
    "\x1f\ud7e4\n\u1107\u1106\x1f\ud7e5\n\u1107\u1107\x1f\u1108\u3143\ud7e6\n\u1107\u1107\u110b\x1f\u112c\u3179"
    "\n\u1107\u1109\x1f\u1121\u11b9\u3144\n\u1107\u1109\u1100\x1f\u1122\u3174\n\u1107\u1109\u1103\x1f\u1123"
    "\u3175\ud7e7\n\u1107\u1109\u1107\x1f\u1124\n\u1107\u1109\u1109\x1f\u1125\n\u1107\u1109\u110c\x1f\u1126\n"
    "\u1107\u1109\u1110\x1f\ua972\n\u1107\u110b\x1f\u112b\u11e6\u3178\n\u1107\u110c\x1f\u1127\u3176\ud7e8\n"
    "\u1107\u110e\x1f\u1128\ud7e9\n\u1107\u110f\x1f\ua973\n\u1107\u1110\x1f\u1129\u3177\n\u1107\u1111\x1f\u112a"
    "\u11e4\n\u1107\u1112\x1f\u11e5\ua974\n\u1109\x1f\u11ba\u3145\n\u1109\u1100\x1f\u112d\u11e7\u317a\n\u1109"
    "\u1102\x1f\u112e\u317b\n\u1109\u1103\x1f\u112f\u11e8\u317c\n\u1109\u1105\x1f\u1130\u11e9\n\u1109\u1106\x1f"
    "\u1131\ud7ea\n\u1109\u1107\x1f\u1132\u11ea\u317d\n\u1109\u1107\u1100\x1f\u1133\n\u1109\u1107\u110b\x1f"
    "\ud7eb\n\u1109\u1109\x1f\u110a\u11bb\u3146\n\u1109\u1109\u1100\x1f\ud7ec\n\u1109\u1109\u1103\x1f\ud7ed\n"
    "\u1109\u1109\u1107\x1f\ua975\n\u1109\u1109\u1109\x1f\u1134\n\u1109\u1109\u30fc\x1f\u4e1b\n\u1109\u110b\x1f"
    "\u1135\n\u1109\u110c\x1f\u1136\u317e\ud7ef\n\u1109\u110e\x1f\u1137\ud7f0\n\u1109\u110f\x1f\u1138\n\u1109"
    "\u1110\x1f\u1139\ud7f1\n\u1109\u1111\x1f\u113a\n\u1109\u1140\x1f\ud7ee\n\u1109\u30fc\u1100\x1f\u4eca\n"
    "\u1109\u30fc\u1106\x1f\u5408\n\u110b\x1f\u11bc\u3147\n\u110b\u1100\x1f\u1141\u11ec\n\u110b\u1100\u1100\x1f"
    "\u11ed\n\u110b\u1103\x1f\u1142\n\u110b\u1105\x1f\ua976\n\u110b\u1106\x1f\u1143\n\u110b\u1107\x1f\u1144\n"
    "\u110b\u1109\x1f\u1145\u11f1\u3182\n\u110b\u110b\x1f\u1147\u11ee\u3180\n\u110b\u110c\x1f\u1148\n\u110b"
    "\u110e\x1f\u1149\n\u110b\u110f\x1f\u11ef\n\u110b\u1110\x1f\u114a\n\u110b\u1111\x1f\u114b\n\u110b\u1112\x1f"
    "\ua977\n\u110b\u1140\x1f\u1146\u11f2\u3183\n\u110c\x1f\u11bd\u3148\n\u110c\u1107\x1f\ud7f7\n\u110c\u1107"
    "\u1107\x1f\ud7f8\n\u110c\u110b\x1f\u114d\n\u110c\u110c\x1f\u110d\u3149\ud7f9\n\u110c\u110c\u1112\x1f\ua978"
    "\n\u110c\u1169\x1f\u4e15\n\u110e\x1f\u11be\u314a\n\u110e\u110f\x1f\u1152\n\u110e\u1112\x1f\u1153\n\u110f"
    "\x1f\u11bf\u314b\n\u1110\x1f\u11c0\u314c\n\u1110\u1110\x1f\ua979\n\u1110\u30fc\u1102\u110c\x1f\u2ed1\u2fa7"
    "\u9577\n\u1111\x1f\u11c1\u314d\n\u1111\u1107\x1f\u1156\u11f3\n\u1111\u1109\x1f\ud7fa\n\u1111\u110b\x1f"
    "\u1157\u11f4\u3184\n\u1111\u1110\x1f\ud7fb\n\u1111\u1112\x1f\ua97a\n\u1112\x1f\u11c2\u314e\n\u1112\u1102"
    "\x1f\u11f5\n\u1112\u1105\x1f\u11f6\n\u1112\u1106\x1f\u11f7\n\u1112\u1107\x1f\u11f8\n\u1112\u1109\x1f\ua97b"
    "\n\u1112\u1112\x1f\u1158\u3185\n\u113c\u113c\x1f\u113d\n\u113e\u113e\x1f\u113f\n\u1140\x1f\u11eb\u317f\n"
    "\u1140\u1107\x1f\ud7f3\n\u1140\u1107\u110b\x1f\ud7f4\n\u114c\x1f\u11f0\u3181\n\u114c\u1106\x1f\ud7f5\n"
    "\u114c\u1112\x1f\ud7f6\n\u114e\u114e\x1f\u114f\n\u1150\u1150\x1f\u1151\n\u1159\x1f\u11f9\u3186\n\u1159"
    "\u1159\x1f\ua97c\n\u1160\x1f\u3164\n\u1161\x1f\u314f\n\u1161\u1169\x1f\u1176\n\u1161\u116e\x1f\u1177\n"
    "\u1161\u30fc\x1f\u11a3\n\u1161\u4e28\x1f\u1162\u3150\n\u1163\x1f\u3151\n\u1163\u1169\x1f\u1178\n\u1163"
    "\u116d\x1f\u1179\n\u1163\u116e\x1f\u11a4\n\u1163\u4e28\x1f\u1164\u3152\n\u1165\x1f\u3153\n\u1165\u1169\x1f"
    "\u117a\n\u1165\u116e\x1f\u117b\n\u1165\u30fc\x1f\u117c\n\u1165\u4e28\x1f\u1166\u3154\n\u1167\x1f\u3155\n"
    "\u1167\u1163\x1f\u11a5\n\u1167\u1169\x1f\u117d\n\u1167\u116e\x1f\u117e\n\u1167\u4e28\x1f\u1168\u3156\n"
    "\u1169\x1f\u3157\n\u1169\u1161\x1f\u116a\u3158\n\u1169\u1161\u4e28\x1f\u116b\u3159\n\u1169\u1163\x1f\u11a6"
    "\n\u1169\u1163\u4e28\x1f\u11a7\n\u1169\u1165\x1f\u117f\n\u1169\u1165\u4e28\x1f\u1180\n\u1169\u1167\x1f"
    "\ud7b0\n\u1169\u1167\u4e28\x1f\u1181\n\u1169\u1169\x1f\u1182\n\u1169\u1169\u4e28\x1f\ud7b1\n\u1169\u116e"
    "\x1f\u1183\n\u1169\u4e28\x1f\u116c\u315a\n\u116d\x1f\u315b\n\u116d\u1161\x1f\ud7b2\n\u116d\u1161\u4e28\x1f"
    "\ud7b3\n\u116d\u1163\x1f\u1184\u1186\u3187\n\u116d\u1163\u4e28\x1f\u1185\u3188\n\u116d\u1165\x1f\ud7b4\n"
    "\u116d\u1169\x1f\u1187\n\u116d\u4e28\x1f\u1188\u3189\n\u116e\x1f\u315c\n\u116e\u1161\x1f\u1189\n\u116e"
    "\u1161\u4e28\x1f\u118a\n\u116e\u1165\x1f\u116f\u315d\n\u116e\u1165\u30fc\x1f\u118b\n\u116e\u1165\u4e28\x1f"
    "\u1170\u315e\n\u116e\u1167\x1f\ud7b5\n\u116e\u1167\u4e28\x1f\u118c\n\u116e\u116e\x1f\u118d\n\u116e\u4e28"
    "\x1f\u1171\u315f\n\u116e\u4e28\u4e28\x1f\ud7b6\n\u1172\x1f\u3160\n\u1172\u1161\x1f\u118e\n\u1172\u1161"
    "\u4e28\x1f\ud7b7\n\u1172\u1165\x1f\u118f\n\u1172\u1165\u4e28\x1f\u1190\n\u1172\u1167\x1f\u1191\u318a\n"
    "\u1172\u1167\u4e28\x1f\u1192\u318b\n\u1172\u1169\x1f\ud7b8\n\u1172\u116e\x1f\u1193\n\u1172\u4e28\x1f\u1194"
    "\u318c\n\u119e\x1f\u318d\n\u119e\u1161\x1f\ud7c5\n\u119e\u1165\x1f\u119f\n\u119e\u1165\u4e28\x1f\ud7c6\n"
    "\u119e\u116e\x1f\u11a0\n\u119e\u119e\x1f\u11a2\n\u119e\u4e28\x1f\u11a1\u318e\n\u1206\x1f\u0544\n\u1261\x1f"
    "\u054c\n\u12ae\x1f\u053b\n\u1323\x1f\u054a\n\u13ef\x1f\u1ff6\n\u1401\xb7\x1f\u140d\n\u1401\u1420\x1f\u142b"
    "\n\u1404\xb7\x1f\u1411\n\u1405\xb7\x1f\u1413\n\u1405\u1420\x1f\u142d\n\u1406\xb7\x1f\u1415\n\u140a\xb7\x1f"
    "\u1418\n\u140a\u1420\x1f\u142e\n\u140b\xb7\x1f\u141a\n\u141e\u18df\x1f\u18dd\n\u1421\x1f\u14d1\n\u1429\x1f"
    "\u1540\n\u1432\xb7\x1f\u143f\n\u1434\xb7\x1f\u1443\n\u1435\x1f\u2369\n\u1439\xb7\x1f\u1447\n\u144f\xb7\x1f"
    "\u145c\n\u1450\x1f\u2283\u2e27\n\u1450'\x1f\u1469\n\u1450/\x1f\u27c9\n\u1450\xb7\x1f\u145e\n\u1450\u1455"
    "\x1f\u2ad7\n\u1451\xb7\x1f\u1460\n\u1455\x1f\u2282\u2e26\n\u1455'\x1f\u146a\n\u1455\xb7\x1f\u1462\n\u1456"
    "\xb7\x1f\u1464\n\u146b'\x1f\u1485\n\u146b\xb7\x1f\u1475\n\u146e\xb7\x1f\u1479\n\u1470\xb7\x1f\u147d\n"
    "\u1489\x1f\u1603\n\u1489\xb7\x1f\u1493\n\u148b\xb7\x1f\u1495\n\u148c\xb7\x1f\u1497\n\u148e\xb7\x1f\u149b\n"
    "\u1490\x1f\u1602\n\u1490\xb7\x1f\u149d\n\u1491\xb7\x1f\u149f\n\u14a3\xb7\x1f\u14ad\n\u14a6\xb7\x1f\u14b1\n"
    "\u14a7\xb7\x1f\u14b3\n\u14a8\xb7\x1f\u14b5\n\u14ab\xb7\x1f\u14b9\n\u14c0\xb7\x1f\u14ca\n\u14c2\xb7\x1f"
    "\u18c7\n\u14c3\xb7\x1f\u18c9\n\u14c4\xb7\x1f\u18cb\n\u14c5\xb7\x1f\u18cd\n\u14c7\xb7\x1f\u14cc\n\u14c8\xb7"
    "\x1f\u14ce\n\u14d3\x1f\u1604\n\u14d3\xb7\x1f\u14dd\n\u14d5\xb7\x1f\u14df\n\u14d6\xb7\x1f\u14e1\n\u14d7\xb7"
    "\x1f\u14e3\n\u14d8\xb7\x1f\u14e5\n\u14da\x1f\u1607\n\u14da\xb7\x1f\u14e7\n\u14db\xb7\x1f\u14e9\n\u14ed\xb7"
    "\x1f\u14f7\n\u14ef\xb7\x1f\u14f9\n\u14f0\xb7\x1f\u14fb\n\u14f1\xb7\x1f\u14fd\n\u14f2\xb7\x1f\u14ff\n\u14f4"
    "\xb7\x1f\u1501\n\u14f5\xb7\x1f\u1503\n\u150b<\x1f\u150c\n\u150bb\x1f\u150e\n\u150b\u1455\x1f\u150d\n\u150b"
    "\u1490\x1f\u150f\n\u1510\xb7\x1f\u1518\n\u1511\xb7\x1f\u151a\n\u1512\xb7\x1f\u151c\n\u1513\xb7\x1f\u151e\n"
    "\u1514\xb7\x1f\u1520\n\u1515\xb7\x1f\u1522\n\u1516\xb7\x1f\u1524\n\u1528\xb7\x1f\u1532\n\u1529\xb7\x1f"
    "\u1534\n\u152a\xb7\x1f\u1536\n\u152b\xb7\x1f\u1538\n\u152d\xb7\x1f\u153a\n\u152e\xb7\x1f\u153c\n\u1543\x1f"
    "\u1622\n\u1543\xb7\x1f\u18e0\n\u1546\x1f\u1623\n\u154a\x1f\u1624\n\u154c\xb7\x1f\u154f\n\u1550P\x1f\u157f"
    "\n\u1550b\x1f\u1583\n\u1550b\u0307\x1f\u1584\n\u1550d\x1f\u1581\n\u1550\u146b\x1f\u166f\n\u1550\u146c\x1f"
    "\u157e\n\u1550\u146e\x1f\u1580\n\u1550\u1470\x1f\u1582\n\u1550\u1483\x1f\u1585\n\u155a\xb7\x1f\u155c\n"
    "\u155e\xb7\x1f\u18e3\n\u1566\xb7\x1f\u18e4\n\u1567\xb7\x1f\u1569\n\u156b\xb7\x1f\u18e5\n\u1586\xb7\x1f"
    "\u18e8\n\u1595J\x1f\u1591\n\u1595\u1489\x1f\u1670\n\u1595\u148a\x1f\u158e\n\u1595\u148b\x1f\u158f\n\u1595"
    "\u148c\x1f\u1590\n\u1595\u148e\x1f\u1592\n\u1595\u1490\x1f\u1593\n\u1595\u1491\x1f\u1594\n\u1596J\x1f"
    "\u1673\n\u1596\u148b\x1f\u1671\n\u1596\u148c\x1f\u1672\n\u1596\u148e\x1f\u1674\n\u1596\u1490\x1f\u1675\n"
    "\u1596\u1491\x1f\u1676\n\u1597\xb7\x1f\u18ea\n\u15a7\xb7\x1f\u1677\n\u15a8\xb7\x1f\u1678\n\u15a9\xb7\x1f"
    "\u1679\n\u15aa\xb7\x1f\u167a\n\u15ab\xb7\x1f\u167b\n\u15ac\xb7\x1f\u167c\n\u15ad\xb7\x1f\u167d\n\u15d2\x1f"
    "\u2aab\n\u15d5\x1f\u2aaa\n\u15e1\x1f\ua4f7\n\u15f4\xb7\x1f\u18f0\n\u161b\xb7\x1f\u18f2\n\u1646\x1f\u1dbb\n"
    "\u1660\x1f\ua4ed\n\u16b9\x1f\ua6b0\n\u16bc\x1f\u16e1\n\u16bd\x1f\u16c2\u237f\n\u16cb\x1f\U0001d23f\n\u16cf"
    "\x1f\u2191\n\u16d0\x1f\u21bf\n\u16d0\u16da\x1f\u2963\n\u16d0\u21c2\x1f\u296e\n\u16da\x1f\u21be\u2a21\n"
    "\u16dc\x1f\u22c4\u25c7\u25ca\u2662\U00010294\U000118b7\U0001f754\n\u16dc\u0332\x1f\u235a\n\u16de\x1f\u22c8"
    "\u2a1d\n\u16e6\x1f\U000104d0\n\u16e8\x1f\u2195\n\u16ef\x1f\u2d63\n\u1715\x1f\u1734\n\u178a\x1f\u178f\n"
    "\u17a2\x1f\u17a3\n\u1835\x1f\u1855\n\u185c\x1f\u1896\n\u18d4\x1f\u1dba\n\u18d6\x1f\u1d3e\n\u18df\u141e\x1f"
    "\u18dc\n\u18f3\x1f\u02e1\n\u18f4\x1f\u02b3\n\u18f5\x1f\u02e2\u18db\ua7f1\n\u199e\x1f\u19d0\n\u19b1\x1f"
    "\u19d1\n\u1a45\x1f\u1a80\u1a90\n\u1aa8\u1aa8\x1f\u1aa9\n\u1aaa\u1aa8\x1f\u1aab\n\u1ac6\x1f\u1ad9\n\u1ac8"
    "\x1f\U0001e6ee\n\u1ada\x1f\u1de8\n\u1adb\x1f\u2dee\n\u1ae5\x1f\u1ae7\n\u1ae9\x1f\u031a\n\u1b0d\x1f\u1b52\n"
    "\u1b11\x1f\u1b53\n\u1b28\x1f\u1b58\n\u1b50\x1f\u1b5c\n\u1b5e\u1b5e\x1f\u1b5f\n\u1c3b\u1c3b\x1f\u1c3c\n"
    "\u1c7e\u1c7e\x1f\u1c7f\n\u1d00\x1f\uab7a\n\u1d05\x1f\uab70\n\u1d07\x1f\uab7c\n\u1d0a\x1f\uab7b\n\u1d0e\x1f"
    "\u0377\u0438\U0001044d\n\u1d18\x1f\u1d29\uabb2\n\u1d19\x1f\u044f\n\u1d1b\x1f\u03c4\u0442\u2ca7\uab72"
    "\U0001d6d5\U0001d70f\U0001d749\U0001d783\U0001d7bd\n\u1d1b\u0329\x1f\u04ad\n\u1d34\x1f\u1d78\n\u1d4b\x1f"
    "\u1d9f\n\u1d4d\x1f\u1da2\n\u1ddf\x1f\u2de8\n\u1e9f\x1f\u03b4\u056e\u1577\u2cdd\u2e39\U0001d6c5\U0001d6ff"
    "\U0001d739\U0001d773\U0001d7ad\n\u1ea3\x1f\u1e9a\n\u1ff4\x1f\u1f7d\n\u2081\u2080\x1f\u23e8\n\u20b8\x1f"
    "\u3012\u3036\n\u20e9\x1f\ua66f\n\u2117\x1f\u24c5\n\u2132\x1f\u15b5\ua4de\n\u2144\x1f\U0001d21b\n\u219e\x1f"
    "\u2bec\n\u219f\x1f\u2bed\n\u21a0\x1f\u2bee\n\u21a1\x1f\u2bef\n\u21b2\x1f\u21b5\n\u21c3\u16da\x1f\u296f\n"
    "\u21c3\u21c2\x1f\u2965\n\u2202\x1f\U0001d6db\U0001d715\U0001d74f\U0001d789\U0001d7c3\U0001e8cc\n\u2202"
    "\u0335\x1f\xf0\U0001e8cd\n\u2205\x1f\u2300\n\u2207\x1f\U000118a8\U0001d6c1\U0001d6fb\U0001d735\U0001d76f"
    "\U0001d7a9\n\u2207\u0308\x1f\u2362\n\u2207\u0334\x1f\u236b\n\u220e\x1f\u2588\u25a0\n\u2210\x1f\u2a3f\n"
    "\u2220\x1f\U0001e8c8\n\u2227\x1f\u22c0\n\u222e\u222e\x1f\u222f\n\u222e\u222e\u222e\x1f\u2230\n\u2234\x1f"
    "\u2e2b\n\u2235\x1f\u2e2a\n\u2237\x1f\u2e2c\n\u2248\x1f\U000111de\n\u224f\x1f\u264e\U0001f75e\n\u2261\x1f"
    "\u2263\u2cb7\n\u228d\x1f\u2a03\n\u228e\x1f\u2a04\n\u228f\x1f\U0001d238\n\u2290\x1f\U0001d239\n\u2293\x1f"
    "\u2a05\n\u2294\x1f\u2a06\n\u2297\x1f\u2a02\n\u229b\x1f\u235f\n\u22a0\x1f\U0001f771\n\u22a1\x1f\U0001f755\n"
    "\u22b2\x1f\u25c1\n\u22b3\x1f\u25b7\n\u22c6\u0308\x1f\u2363\n\u2307\x1f\ufe34\n\u2312\x1f\u25e0\n\u2319\x1f"
    "\u2a3d\n\u2324\x1f\u2325\n\u233b\x1f\u29c7\n\u233e\x1f\u25ce\u29be\n\u2342\x1f\u29c5\n\u2349\x1f\u29b0\n"
    "\u234b\x1f\u23c3\n\u234e\x1f\u23c2\n\u2355\x1f\u23c1\n\u236d\x1f\u23c6\n\u2388\x1f\u2638\n\u23dc\x1f\ufe35"
    "\n\u23dd\x1f\ufe36\n\u23de\x1f\ufe37\n\u23df\x1f\ufe38\n\u23e0\x1f\ufe39\n\u23e1\x1f\ufe3a\n\u23e5\x1f"
    "\u25b1\n\u23fb\x1f\u23fc\n\u24be\x1f\u24db\n\u2502\x1f\u2503\ufe31\uff5c\n\u250c\x1f\u250f\n\u251c\x1f"
    "\u2523\n\u258c\x1f\u2590\n\u2596\x1f\u2597\n\u2598\x1f\u259d\n\u25a1\x1f\u2610\n\u25aa\x1f\uffed\n\u25b6"
    "\x1f\u25b8\u25ba\n\u2627\x1f\u2ce9\n\u2629\x1f\U0001f70a\n\u263d\x1f\U0001f312\U0001f319\n\u263e\x1f\u23fe"
    "\U0001f318\n\u276c\x1f\u2329\u27e8\u3008\u304f\u31db\U00021fe8\n\u276d\x1f\u232a\u27e9\u3009\n\u2780\x1f"
    "\u2460\n\u2781\x1f\u2461\n\u2782\x1f\u2462\n\u2783\x1f\u2463\n\u2784\x1f\u2464\n\u2785\x1f\u2465\n\u2786"
    "\x1f\u2466\n\u2787\x1f\u2467\n\u2788\x1f\u2468\n\u2789\x1f\u2469\n\u27e6\x1f\u301a\n\u27e7\x1f\u301b\n"
    "\u299a\x1f\u29d9\n\u29df\x1f\U0001f73a\n\u2a1f\x1f\u2a3e\n\u2c3f\x1f\ua992\n\u2c6b\x1f\u2c8c\n\u2c6c\x1f"
    "\u2c8d\n\u2c6f\x1f\u15c4\u2200\ua4ef\U0001d217\n\u2c70\x1f\U0001041f\n\u2c75\x1f\u0370\u13a8\u13b0\ua6b1\n"
    "\u2c76\x1f\uab80\n\u2d40\x1f\U000102b8\n\u2d42\x1f\u205e\u2999\u2e3d\U0001ceef\n\u2d57\x1f\u205d\u22ee"
    "\ufe19\n\u2dec\x1f\u1dee\n\u301c\x1f\uff5e\n\u303c\x1f\u2341\u29c4\n\u3078\x1f\u30d8\n\u30fc\x1f\u1173"
    "\u2014\u2015\u2500\u2501\u2f00\u3161\u31d0\u4e00\ua7f7\uff0d\n\u30fc\u1161\x1f\ud7b9\n\u30fc\u1165\x1f"
    "\ud7ba\n\u30fc\u1165\u4e28\x1f\ud7bb\n\u30fc\u1169\x1f\ud7bc\n\u30fc\u116e\x1f\u1195\n\u30fc\u30fc\x1f"
    "\u1196\n\u30fc\u4e28\x1f\u1174\u3162\n\u30fc\u4e28\u116e\x1f\u1197\n\u33c4\x09\u20dd\x1f\U0001f16d\n\u349e"
    "\x1f\U0002f80c\n\u34b9\x1f\U0002f813\n\u34bb\x1f\U0002f9ca\n\u34df\x1f\U0002f81f\n\u3515\x1f\U0002f824\n"
    "\u353e\x1f\u2e8b\n\u3588\x1f\u439b\n\u363d\x1f\u39b3\n\u36ee\x1f\U0002f867\n\u36fc\x1f\U0002f868\n\u3781"
    "\x1f\U0002f876\n\u382f\x1f\U0002f883\n\u3862\x1f\U0002f888\n\u387c\x1f\U0002f88a\n\u38c7\x1f\U0002f896\n"
    "\u38e3\x1f\U0002f89b\n\u38fa\x1f\u2e97\n\u391c\x1f\U0002f8a2\n\u393a\x1f\U0002f8a1\n\u3a2e\x1f\U0002f8c2\n"
    "\u3a41\x1f\u6409\n\u3a6c\x1f\U0002f8c7\n\u3ada\x1f\u66f6\n\u3ae4\x1f\U0002f8d1\n\u3b08\x1f\U0002f8d0\n"
    "\u3b19\x1f\U0002f8ce\n\u3b35\x1f\u80f6\n\u3b3a\x1f\u5e50\n\u3b3b\x1f\u4420\n\u3b49\x1f\U0002f8de\n\u3b9d"
    "\x1f\ufad2\U0002f8e7\n\u3ba3\x1f\u69e9\n\u3c18\x1f\U0002f8ee\n\u3c4e\x1f\U0002f8f2\n\u3d33\x1f\U0002f90a\n"
    "\u3d96\x1f\U0002f916\n\u3eac\x1f\U0002f92a\n\u3eb8\x1f\U0002f92c\U0002f92d\n\u3f1b\x1f\U0002f933\n\u3ffc"
    "\x1f\U0002f93e\n\u4008\x1f\U0002f93f\n\u4018\x1f\ufad3\n\u4039\x1f\u9fc3\ufad4\U0002f949\n\u403f\x1f\u6663"
    "\n\u4046\x1f\U0002f94b\n\u4096\x1f\U0002f94c\n\u40e3\x1f\U0002f951\n\u412f\x1f\U0002f958\n\u4202\x1f"
    "\U0002f960\n\u4227\x1f\U0002f964\n\u42a0\x1f\U0002f967\n\u4301\x1f\U0002f96d\n\u4334\x1f\U0002f971\n\u4359"
    "\x1f\U0002f974\n\u43d5\x1f\U0002f981\n\u43d9\x1f\U0002f8d7\n\u440b\x1f\U0002f984\n\u4443\x1f\u6726\n\u446b"
    "\x1f\U0002f98e\n\u452b\x1f\U0002f9a7\n\u455d\x1f\U0002f9ae\n\u4561\x1f\U0002f9af\n\u456b\x1f\U0002f9b2\n"
    "\u45d7\x1f\U0002f9bf\n\u45f9\x1f\U0002f9c2\n\u4635\x1f\U0002f9c8\n\u46b6\x1f\u8a1e\n\u46be\x1f\U0002f9cd\n"
    "\u46c7\x1f\U0002f9ce\n\u4995\x1f\U0002f9ef\n\u49e6\x1f\U0002f9f2\n\u4a6e\x1f\U0002f9f8\n\u4a76\x1f"
    "\U0002f9f9\n\u4ab2\x1f\U0002f9fc\n\u4b33\x1f\U0002fa03\n\u4bce\x1f\U0002fa08\n\u4cce\x1f\U0002fa0d\n\u4ced"
    "\x1f\U0002fa0e\n\u4cf8\x1f\U0002fa11\n\u4d56\x1f\U0002fa16\n\u4e0d\x1f\uf967\n\u4e26\x1f\ufa70\n\u4e28\x1f"
    "\u1175\u239c\u239f\u23a2\u23a5\u23aa\u23ae\u2f01\u3163\u31d1\n\u4e28\u1161\x1f\u1198\n\u4e28\u1163\x1f"
    "\u1199\n\u4e28\u1163\u1169\x1f\ud7bd\n\u4e28\u1163\u4e28\x1f\ud7be\n\u4e28\u1167\x1f\ud7bf\n\u4e28\u1167"
    "\u4e28\x1f\ud7c0\n\u4e28\u1169\x1f\u119a\n\u4e28\u1169\u4e28\x1f\ud7c1\n\u4e28\u116d\x1f\ud7c2\n\u4e28"
    "\u116e\x1f\u119b\n\u4e28\u1172\x1f\ud7c3\n\u4e28\u119e\x1f\u119d\n\u4e28\u30fc\x1f\u119c\n\u4e28\u4e28\x1f"
    "\ud7c4\n\u4e2c\x1f\u2ea6\n\u4e32\x1f\uf905\n\u4e38\x1f\U0002f801\n\u4e39\x1f\uf95e\n\u4e3d\x1f\U0002f800\n"
    "\u4e41\x1f\U0002f802\n\u4e59\x1f\u2f04\u31e0\n\u4e5a\x1f\u2e83\u31df\n\u4e5b\x1f\u2e82\u31d6\n\u4e80\x1f"
    "\u2ef2\n\u4e82\x1f\uf91b\n\u4e85\x1f\u2f05\u31da\n\u4e86\x1f\uf9ba\n\u4e8c\x1f\u2f06\u30cb\n\u4ea0\x1f"
    "\u2f07\n\u4eae\x1f\uf977\n\u4eba\x1f\u2f08\n\u4ebb\x1f\u2e85\u30a4\n\u4ec0\x1f\uf9fd\n\u4ecc\x1f\U0002f819"
    "\n\u4ee4\x1f\uf9a8\n\u4f60\x1f\U0002f804\n\u4f75\x1f\u5002\U0002f807\n\u4f80\x1f\ufa73\n\u4f86\x1f\uf92d\n"
    "\u4f8b\x1f\uf9b5\n\u4fae\x1f\ufa30\U0002f805\n\u4fbb\x1f\U0002f806\n\u4fbf\x1f\uf965\n\u5024\x1f\u503c\n"
    "\u502b\x1f\uf9d4\n\u507a\x1f\U0002f808\n\u5099\x1f\U0002f809\n\u50cf\x1f\U0002f80b\n\u50da\x1f\uf9bb\n"
    "\u50e7\x1f\ufa31\U0002f80a\n\u513f\x1f\u2f09\u3126\U00016ff2\n\u5140\x1f\u2e8e\ufa0c\n\u5145\x1f\ufa74\n"
    "\u514d\x1f\ufa32\U0002f80e\n\u5154\x1f\U0002f80f\n\u5164\x1f\U0002f810\n\u5165\x1f\u2f0a\n\u5167\x1f"
    "\U0002f814\n\u5168\x1f\ufa72\n\u5169\x1f\uf978\n\u516b\x1f\u2f0b\u30cf\n\u516d\x1f\uf9d1\n\u5177\x1f"
    "\U0002f811\n\u5180\x1f\ufa75\n\u5182\x1f\u2f0c\n\u518d\x1f\U0002f815\n\u5192\x1f\U0002f8d2\n\u5195\x1f"
    "\U0002f8d3\n\u5196\x1f\u2f0d\n\u5197\x1f\U0002f817\n\u51a4\x1f\U0002f818\n\u51ab\x1f\u2f0e\n\u51ac\x1f"
    "\U0002f81a\n\u51b5\x1f\ufa71\U0002f81b\n\u51b7\x1f\uf92e\n\u51c9\x1f\uf979\n\u51cc\x1f\uf955\n\u51dc\x1f"
    "\uf954\n\u51de\x1f\ufa15\n\u51e0\x1f\u2f0f\n\u51f5\x1f\u2f10\U00020674\U0002f81d\n\u5200\x1f\u2f11\n\u5202"
    "\x1f\u2e89\n\u5203\x1f\U0002f81e\n\u5207\x1f\ufa00\U0002f850\n\u5217\x1f\uf99c\n\u5229\x1f\uf9dd\n\u523a"
    "\x1f\uf9ff\n\u523b\x1f\U0002f820\n\u5246\x1f\U0002f821\n\u5272\x1f\U0002f822\n\u5277\x1f\U0002f823\n\u5289"
    "\x1f\uf9c7\n\u529b\x1f\u2f12\u30ab\uf98a\n\u52a3\x1f\uf99d\n\u52b3\x1f\U0002f992\n\u52c7\x1f\ufa76"
    "\U0002f825\n\u52c9\x1f\ufa33\U0002f826\n\u52d2\x1f\uf952\n\u52de\x1f\uf92f\n\u52e4\x1f\ufa34\U0002f827\n"
    "\u52f5\x1f\uf97f\n\u52f9\x1f\u2f13\n\u52fa\x1f\ufa77\U0002f828\n\u5305\x1f\U0002f829\n\u5306\x1f\U0002f82a"
    "\n\u5315\x1f\u2f14\n\u5317\x1f\uf963\U0002f82b\n\u531a\x1f\u2f15\n\u5338\x1f\u2f16\n\u533f\x1f\uf9eb\n"
    "\u5341\x1f\u2f17\u3038\n\u5344\x1f\u3039\n\u5345\x1f\u303a\n\u5349\x1f\U0002f82c\n\u534d\x1f\u0fd6\n\u5350"
    "\x1f\u0fd5\n\u5351\x1f\ufa35\U0002d161\U0002f82d\n\u535a\x1f\U0002f82e\n\u535c\x1f\u2f18\u30c8\n\u5369\x1f"
    "\u2f19\n\u5373\x1f\U0002f82f\n\u5375\x1f\uf91c\n\u537d\x1f\U0002f830\n\u537f\x1f\U0002f831\U0002f832"
    "\U0002f833\n\u5382\x1f\u2f1a\n\u53b6\x1f\u2f1b\n\u53c3\x1f\uf96b\n\u53c8\x1f\u2f1c\n\u53ca\x1f\U0002f836\n"
    "\u53df\x1f\U0002f837\n\u53e3\x1f\u2f1d\u2f1e\u30ed\u56d7\n\u53e5\x1f\uf906\n\u53eb\x1f\U0002f839\n\u53f1"
    "\x1f\U0002f83a\n\u5406\x1f\U0002f83b\n\u540f\x1f\uf9de\n\u541d\x1f\uf9ed\n\u5438\x1f\U0002f83d\n\u5442\x1f"
    "\uf980\n\u5448\x1f\U0002f83e\n\u5468\x1f\U0002f83f\n\u549e\x1f\U0002f83c\n\u54a2\x1f\U0002f840\n\u54bd\x1f"
    "\uf99e\n\u54f6\x1f\U0002f841\n\u5510\x1f\U0002f842\n\u5553\x1f\u555f\U0002f843\n\u5555\x1f\ufa79\n\u5563"
    "\x1f\U0002f844\n\u5584\x1f\U0002f845\U0002f846\n\u5587\x1f\uf90b\n\u5599\x1f\ufa7a\U0002f847\n\u559d\x1f"
    "\ufa36\ufa78\n\u55ab\x1f\U0002f848\n\u55b3\x1f\U0002f849\n\u55c0\x1f\ufa0d\n\u55c2\x1f\U0002f84a\n\u55e2"
    "\x1f\ufa7b\n\u5606\x1f\ufa37\U0002f84c\n\u5651\x1f\U0002f84e\n\u5668\x1f\ufa38\n\u5674\x1f\U0002f84f\n"
    "\u56f9\x1f\uf9a9\n\u5716\x1f\U0002f84b\n\u5717\x1f\U0002f84d\n\u571f\x1f\u2f1f\u2f20\u58eb\n\u578b\x1f"
    "\U0002f855\n\u57ce\x1f\U0002f852\n\u57f4\x1f\U0002f853\n\u580d\x1f\U0002f854\n\u5831\x1f\U0002f857\n\u5832"
    "\x1f\U0002f856\n\u5840\x1f\ufa39\n\u585a\x1f\ufa10\ufa7c\n\u585e\x1f\uf96c\n\u5861\x1f\u586b\n\u58a8\x1f"
    "\ufa3a\n\u58ab\x1f\u58ff\n\u58ac\x1f\U0002f858\n\u58b3\x1f\ufa7d\n\u58d8\x1f\uf94a\n\u58df\x1f\uf942\n"
    "\u58ee\x1f\U0002f851\n\u58f2\x1f\U0002f85a\n\u58f7\x1f\U00021533\U0002f85b\n\u5902\x1f\u2f21\n\u5906\x1f"
    "\U0002f85c\n\u590a\x1f\u2f22\n\u5915\x1f\u2f23\u30bf\n\u591a\x1f\U00021587\U0002f85d\n\u5922\x1f\U0002f85e"
    "\n\u5927\x1f\u2f24\n\u5944\x1f\ufa7e\n\u5948\x1f\uf90c\n\u5951\x1f\uf909\n\u5954\x1f\ufa7f\n\u5962\x1f"
    "\U0002f85f\n\u5973\x1f\u2f25\uf981\n\u59d8\x1f\U0002f865\n\u59ec\x1f\U0002f862\n\u5a1b\x1f\U0002f863\n"
    "\u5a27\x1f\U0002f864\n\u5a62\x1f\ufa80\n\u5a66\x1f\U0002f866\n\u5aaf\x1f\u5b00\n\u5ab5\x1f\U0002f986\n"
    "\u5b08\x1f\U0002f869\n\u5b28\x1f\ufa81\n\u5b3e\x1f\U0002f86a\U0002f86b\n\u5b50\x1f\u2f26\n\u5b80\x1f\u2f27"
    "\n\u5b85\x1f\ufa04\n\u5bc3\x1f\U0002f86d\n\u5bd8\x1f\U0002f86e\n\u5be7\x1f\uf95f\uf9aa\U0002f86f\n\u5bee"
    "\x1f\uf9bc\n\u5bf3\x1f\U0002f870\n\u5bf8\x1f\u2f28\n\u5bff\x1f\U0002f872\n\u5c06\x1f\U0002f873\n\u5c0f\x1f"
    "\u2f29\n\u5c22\x1f\u2e90\u2f2a\U0002f875\n\u5c23\x1f\u2e8f\n\u5c38\x1f\u2f2b\n\u5c3f\x1f\uf9bd\n\u5c60\x1f"
    "\U0002f877\n\u5c62\x1f\uf94b\n\u5c64\x1f\ufa3b\n\u5c65\x1f\uf9df\n\u5c6e\x1f\u2f2c\ufa3c\U0002f878\n\u5c71"
    "\x1f\u2f2d\n\u5c8d\x1f\U0002f87a\n\u5cc0\x1f\U0002b73a\U0002f879\n\u5d19\x1f\uf9d5\n\u5d43\x1f\U0002f87c\n"
    "\u5d50\x1f\uf921\n\u5d6b\x1f\U0002f87f\n\u5d6e\x1f\U0002f87e\n\u5d7c\x1f\U0002f880\n\u5db2\x1f\U0002f9f4\n"
    "\u5dba\x1f\uf9ab\n\u5ddb\x1f\u2f2e\n\u5de1\x1f\U0002f881\n\u5de2\x1f\U0002f882\n\u5de5\x1f\u2f2f\u30a8\n"
    "\u5df1\x1f\u2f30\n\u5df3\x1f\u2e92\n\u5dfd\x1f\U0002f884\n\u5dfe\x1f\u2f31\n\u5e21\x1f\u5e32\n\u5e28\x1f"
    "\U0002f885\n\u5e3d\x1f\U0002f886\n\u5e69\x1f\U0002f887\n\u5e72\x1f\u2f32\n\u5e74\x1f\uf98e\n\u5e7a\x1f"
    "\u2e93\u2f33\n\u5e7f\x1f\u2f34\n\u5ea6\x1f\ufa01\n\u5eb0\x1f\U0002f88b\n\u5eb3\x1f\U0002f88c\n\u5eb6\x1f"
    "\U0002f88d\n\u5ec9\x1f\uf9a2\n\u5eca\x1f\uf928\U0002f88e\n\u5ed2\x1f\ufa82\n\u5ed3\x1f\ufa0b\n\u5ed9\x1f"
    "\ufa83\n\u5eec\x1f\uf982\n\u5ef4\x1f\u2f35\n\u5efe\x1f\u2f36\U0002f890\n\u5f04\x1f\uf943\n\u5f0b\x1f\u2f37"
    "\n\u5f13\x1f\u2f38\n\u5f22\x1f\U0002f894\U0002f895\n\u5f50\x1f\u2f39\n\u5f51\x1f\u2e94\n\u5f53\x1f"
    "\U0002f874\n\u5f61\x1f\u2f3a\n\u5f62\x1f\U0002f899\n\u5f69\x1f\ufa84\n\u5f6b\x1f\U0002f89a\n\u5f73\x1f"
    "\u2f3b\n\u5f8b\x1f\uf9d8\n\u5f9a\x1f\U00022505\U0002f89c\n\u5fa9\x1f\uf966\n\u5fad\x1f\ufa85\n\u5fc3\x1f"
    "\u2f3c\n\u5fc4\x1f\u2e96\n\u5fcd\x1f\U0002f89d\n\u5fd7\x1f\U0002f89e\n\u5ff5\x1f\uf9a3\n\u5ff9\x1f"
    "\U0002f89f\n\u6012\x1f\uf960\n\u601c\x1f\uf9ac\n\u6075\x1f\ufa6b\n\u6081\x1f\U0002f8a0\n\u6094\x1f\ufa3d"
    "\U0002f8a3\n\u60c7\x1f\U0002f8a5\n\u60d8\x1f\ufa86\n\u60e1\x1f\uf9b9\n\u6108\x1f\ufa88\n\u6144\x1f\uf9d9\n"
    "\u6148\x1f\U0002f8a6\n\u614c\x1f\U0002f8a7\U0002f8a9\n\u614e\x1f\ufa87\U0002f8a8\n\u6160\x1f\ufa8a\n\u6168"
    "\x1f\ufa3e\n\u617a\x1f\U0002f8aa\n\u618e\x1f\ufa3f\ufa89\U0002f8ab\n\u6190\x1f\uf98f\n\u61a4\x1f\U0002f8ad"
    "\n\u61af\x1f\U0002f8ae\n\u61b2\x1f\U0002f8ac\n\u61de\x1f\U0002f8af\n\u61f2\x1f\ufa40\ufa8b\U0002f8b0\n"
    "\u61f6\x1f\uf90d\U0002f8b1\n\u6200\x1f\uf990\n\u6208\x1f\u2f3d\n\u6210\x1f\U0002f8b2\n\u621b\x1f\U0002f8b3"
    "\n\u622e\x1f\uf9d2\n\u6234\x1f\ufa8c\n\u6236\x1f\u2f3e\u6238\n\u624b\x1f\u2f3f\n\u624c\x1f\u2e98\n\u625d"
    "\x1f\U0002f8b4\n\u62b1\x1f\U0002f8b5\n\u62c9\x1f\uf925\n\u62cf\x1f\uf95b\n\u62d3\x1f\ufa02\n\u62d4\x1f"
    "\U0002f8b6\n\u62fc\x1f\U0002f8ba\n\u62fe\x1f\uf973\n\u633d\x1f\U0002f8b9\n\u6350\x1f\U0002f8b7\n\u6368\x1f"
    "\U0002f8bb\n\u637b\x1f\uf9a4\n\u6383\x1f\U0002f8bc\n\u63a0\x1f\uf975\n\u63a9\x1f\U0002f8c1\n\u63c4\x1f"
    "\ufa8d\n\u63c5\x1f\U0002f8c0\n\u63e4\x1f\U0002f8bd\n\u641c\x1f\ufa8e\n\u6422\x1f\U0002f8bf\n\u6452\x1f"
    "\ufa8f\n\u6469\x1f\U0002f8c3\n\u6477\x1f\U0002f8c6\n\u647e\x1f\U0002f8c4\n\u649a\x1f\uf991\n\u649d\x1f"
    "\U0002f8c5\n\u64c4\x1f\uf930\n\u652f\x1f\u2f40\n\u6534\x1f\u2f41\n\u6535\x1f\u2e99\n\u654f\x1f\ufa41"
    "\U0002f8c8\n\u6556\x1f\ufa90\n\u656c\x1f\U0002f8c9\n\u6578\x1f\uf969\n\u6587\x1f\u2f42\n\u6589\x1f\u2eeb\n"
    "\u6597\x1f\u2f43\n\u6599\x1f\uf9be\n\u65a4\x1f\u2f44\n\u65b9\x1f\u2f45\n\u65c5\x1f\uf983\n\u65e0\x1f\u2f46"
    "\n\u65e1\x1f\u2e9b\n\u65e2\x1f\ufa42\n\u65e3\x1f\U0002f8cb\n\u65e5\x1f\u2f47\n\u6613\x1f\uf9e0\n\u6649\x1f"
    "\U0002f8cd\n\u665a\x1f\u6669\n\u6674\x1f\ufa12\ufa91\n\u6688\x1f\uf9c5\n\u6691\x1f\ufa43\U0002f8cf\n\u669c"
    "\x1f\U0002f8d5\n\u66b4\x1f\ufa06\n\u66c6\x1f\uf98b\n\u66f0\x1f\u2f48\n\u66f4\x1f\uf901\n\u66f8\x1f"
    "\U0002f8cc\n\u6700\x1f\U0002f8d4\n\u6708\x1f\u2f49\n\u670c\x1f\u80a6\n\u670f\x1f\u80d0\n\u6710\x1f\u80ca\n"
    "\u6713\x1f\u8101\n\u6717\x1f\uf929\ufa92\U0002f8d8\n\u6718\x1f\u8127\n\u671b\x1f\ufa93\U0002f8d9\n\u6721"
    "\x1f\U0002f8da\n\u6723\x1f\u81a7\n\u6728\x1f\u2f4a\n\u674e\x1f\uf9e1\n\u6753\x1f\U0002f8dc\n\u6756\x1f"
    "\ufa94\n\u675e\x1f\U0002f8db\n\u676e\x1f\u67ff\n\u677b\x1f\uf9c8\n\u6785\x1f\U0002f8e0\n\u6797\x1f\uf9f4\n"
    "\u67f3\x1f\uf9c9\n\u67fa\x1f\U0002f8df\n\u6817\x1f\uf9da\n\u681f\x1f\U0002f8e5\n\u6852\x1f\U0002f8e1\n"
    "\u6881\x1f\uf97a\n\u6885\x1f\ufa44\U0002f8e2\n\u688e\x1f\U0002f8e4\n\u68a8\x1f\uf9e2\n\u6914\x1f\U0002f8e6"
    "\n\u6942\x1f\U0002f8e8\n\u699d\x1f\u6a27\n\u69a3\x1f\U0002f8e9\n\u69ea\x1f\U0002f8ea\n\u6a02\x1f\uf914"
    "\uf95c\uf9bf\n\u6a13\x1f\uf94c\n\u6aa8\x1f\U0002f8eb\n\u6ad3\x1f\uf931\n\u6adb\x1f\U0002f8ed\n\u6b04\x1f"
    "\uf91d\n\u6b20\x1f\u2f4b\n\u6b21\x1f\U0002f8ef\n\u6b54\x1f\U0002f8f1\n\u6b62\x1f\u2f4c\n\u6b6f\x1f\u2eed\n"
    "\u6b72\x1f\U0002f8f3\n\u6b77\x1f\uf98c\n\u6b79\x1f\u2f4d\ufa95\n\u6b7a\x1f\u2e9e\n\u6b9f\x1f\U0002f8f4\n"
    "\u6bae\x1f\uf9a5\n\u6bb3\x1f\u2f4e\n\u6bba\x1f\uf970\ufa96\U0002f8f5\n\u6bbb\x1f\U0002f8f6\n\u6bcb\x1f"
    "\u2f4f\n\u6bcd\x1f\u2e9f\n\u6bd4\x1f\u2f50\n\u6bdb\x1f\u2f51\n\u6c0f\x1f\u2f52\n\u6c11\x1f\u2ea0\n\u6c14"
    "\x1f\u2f53\n\u6c34\x1f\u2f54\n\u6c35\x1f\u2ea1\n\u6c3a\x1f\u2ea2\n\u6c4e\x1f\U0002f8fa\n\u6c67\x1f"
    "\U0002f8fe\n\u6c88\x1f\uf972\n\u6cbf\x1f\U0002f8fc\n\u6ccc\x1f\uf968\n\u6ccd\x1f\U0002f8fd\n\u6ce5\x1f"
    "\uf9e3\n\u6d16\x1f\U0002f8ff\n\u6d1b\x1f\uf915\n\u6d1e\x1f\ufa05\n\u6d34\x1f\U0002f907\n\u6d3e\x1f"
    "\U0002f900\n\u6d41\x1f\uf9ca\ufa97\U0002f902\n\u6d69\x1f\U0002f903\n\u6d6a\x1f\uf92a\n\u6d77\x1f\ufa45"
    "\U0002f901\n\u6d78\x1f\U0002f904\n\u6d85\x1f\U00023d40\U0002f905\n\u6dcb\x1f\uf9f5\n\u6dda\x1f\uf94d\n"
    "\u6dea\x1f\uf9d6\n\u6df9\x1f\U0002f90e\n\u6e1a\x1f\ufa46\n\u6e2f\x1f\U0002f908\n\u6e6e\x1f\U0002f909\n"
    "\u6e88\x1f\u6f59\n\u6e9c\x1f\uf9cb\n\u6eba\x1f\uf9ec\n\u6ec7\x1f\U0002f90c\n\u6ecb\x1f\ufa99\U0002f90b\n"
    "\u6ed1\x1f\uf904\n\u6edb\x1f\ufa98\n\u6f0f\x1f\uf94e\n\u6f22\x1f\ufa47\ufa9a\n\u6f23\x1f\uf992\n\u6f6e\x1f"
    "\U0002f90f\n\u6fc6\x1f\U0002f912\n\u6feb\x1f\uf922\n\u6ffe\x1f\uf984\n\u701b\x1f\U0002f915\n\u701e\x1f"
    "\ufa9b\U0002f914\n\u7039\x1f\U0002f913\n\u704a\x1f\U0002f917\n\u706b\x1f\u2f55\n\u706c\x1f\u2ea3\n\u7070"
    "\x1f\U0002f835\n\u7077\x1f\U0002f919\n\u707d\x1f\U0002f918\n\u7099\x1f\uf9fb\n\u70ad\x1f\U0002f91a\n\u70c8"
    "\x1f\uf99f\n\u70d9\x1f\uf916\n\u7145\x1f\U0002f91c\n\u7149\x1f\uf993\n\u716e\x1f\ufa48\ufa9c\n\u719c\x1f"
    "\U0002f91e\n\u71ce\x1f\uf9c0\n\u71d0\x1f\uf9ee\n\u7210\x1f\uf932\n\u721b\x1f\uf91e\n\u7228\x1f\U0002f920\n"
    "\u722a\x1f\u2f56\n\u722b\x1f\u2ea4\ufa49\n\u7235\x1f\ufa9e\U0002f921\n\u7236\x1f\u2f57\n\u723b\x1f\u2f58\n"
    "\u7247\x1f\u2f5a\n\u7250\x1f\U0002f922\n\u7259\x1f\u2f5b\n\u725b\x1f\u2f5c\n\u7262\x1f\uf946\n\u7280\x1f"
    "\U0002f924\n\u7295\x1f\U0002f925\n\u72ac\x1f\u2f5d\n\u72ad\x1f\u2ea8\n\u72af\x1f\ufa9f\n\u72c0\x1f\uf9fa\n"
    "\u72fc\x1f\uf92b\n\u732a\x1f\ufa16\ufaa0\n\u7375\x1f\uf9a7\n\u737a\x1f\U0002f928\n\u7384\x1f\u2f5e\n\u7387"
    "\x1f\uf961\uf9db\n\u7389\x1f\u2f5f\n\u738b\x1f\U0002f929\n\u73a5\x1f\U000248fd\U0002f92b\n\u73b2\x1f\uf9ad"
    "\n\u73de\x1f\uf917\n\u7406\x1f\uf9e4\n\u7409\x1f\uf9cc\n\u7422\x1f\ufa4a\n\u7447\x1f\U0002f92e\n\u745c\x1f"
    "\U0002f92f\n\u7469\x1f\uf9ae\n\u7471\x1f\ufaa1\U0002f930\n\u7485\x1f\U0002f931\n\u7489\x1f\uf994\n\u7498"
    "\x1f\uf9ef\n\u74ca\x1f\U0002f932\n\u74dc\x1f\u2f60\n\u74e6\x1f\u2f61\n\u7506\x1f\ufaa2\n\u7518\x1f\u2f62\n"
    "\u751f\x1f\u2f63\n\u7524\x1f\U0002f934\n\u7528\x1f\u2f64\n\u7530\x1f\u2f65\n\u753b\x1f\ufaa3\n\u753e\x1f"
    "\U0002f936\n\u7559\x1f\uf9cd\n\u7565\x1f\uf976\n\u7570\x1f\uf962\U0002f938\n\u758b\x1f\u2f66\n\u7592\x1f"
    "\u2f67\n\u75e2\x1f\uf9e5\n\u7610\x1f\U0002f93a\n\u761d\x1f\ufaa4\n\u761f\x1f\ufaa5\n\u7642\x1f\uf9c1\n"
    "\u7669\x1f\uf90e\n\u7676\x1f\u2f68\n\u767d\x1f\u2f69\n\u76ae\x1f\u2f6a\n\u76bf\x1f\u2f6b\n\u76ca\x1f\ufa17"
    "\ufaa6\n\u76db\x1f\ufaa7\n\u76e7\x1f\uf933\n\u76ee\x1f\u2f6c\n\u76f4\x1f\ufaa8\U0002f940\n\u7701\x1f\uf96d"
    "\n\u771e\x1f\U0002f945\n\u771f\x1f\U0002f946\U0002f947\n\u7740\x1f\ufaaa\n\u774a\x1f\ufaa9\U0002f948\n"
    "\u778b\x1f\U0002f94a\n\u77a7\x1f\ufa9d\n\u77db\x1f\u2f6d\n\u77e2\x1f\u2f6e\n\u77f3\x1f\u2f6f\n\u7814\x1f"
    "\u784f\n\u784e\x1f\U0002f94e\n\u786b\x1f\uf9ce\n\u788c\x1f\uf93b\U0002f94f\n\u7891\x1f\ufa4b\n\u78ca\x1f"
    "\uf947\n\u78cc\x1f\ufaab\U0002f950\n\u78fb\x1f\uf964\n\u792a\x1f\uf985\n\u793a\x1f\u2f70\n\u793b\x1f\u2ead"
    "\n\u793c\x1f\ufa18\n\u793e\x1f\ufa4c\n\u7948\x1f\ufa4e\n\u7949\x1f\ufa4d\n\u7950\x1f\ufa4f\n\u7956\x1f"
    "\ufa50\U0002f953\n\u795d\x1f\ufa51\n\u795e\x1f\ufa19\n\u7965\x1f\ufa1a\n\u797f\x1f\uf93c\n\u798d\x1f\ufa52"
    "\n\u798e\x1f\ufa53\n\u798f\x1f\ufa1b\U0002f956\n\u79ae\x1f\uf9b6\n\u79b8\x1f\u2f71\n\u79be\x1f\u2f72\n"
    "\u79ca\x1f\uf995\n\u79eb\x1f\U0002f957\n\u7a1c\x1f\uf956\n\u7a40\x1f\ufa54\U0002f959\n\u7a4a\x1f\U0002f95a"
    "\n\u7a4f\x1f\U0002f95b\n\u7a74\x1f\u2f73\n\u7a81\x1f\ufa55\n\u7ab1\x1f\ufaac\n\u7acb\x1f\u2f74\uf9f7\n"
    "\u7adc\x1f\u2eef\n\u7aee\x1f\U0002f95f\n\u7af9\x1f\u2f75\n\u7b20\x1f\uf9f8\n\u7bc0\x1f\ufa56\ufaad\n\u7bc6"
    "\x1f\U0002f962\n\u7bc9\x1f\U0002f963\n\u7c3e\x1f\uf9a6\n\u7c60\x1f\uf944\n\u7c73\x1f\u2f76\n\u7c7b\x1f"
    "\ufaae\n\u7c92\x1f\uf9f9\n\u7cbe\x1f\ufa1d\n\u7cd2\x1f\U0002f966\n\u7cd6\x1f\ufa03\n\u7ce3\x1f\U0002f969\n"
    "\u7ce7\x1f\uf97b\n\u7ce8\x1f\U0002f968\n\u7cf8\x1f\u2f77\n\u7cf9\x1f\u2eaf\n\u7d00\x1f\U0002f96a\n\u7d10"
    "\x1f\uf9cf\n\u7d22\x1f\uf96a\n\u7d2f\x1f\uf94f\n\u7d55\x1f\u7d76\n\u7d5b\x1f\ufaaf\n\u7d63\x1f\U0002f96c\n"
    "\u7da0\x1f\uf93d\n\u7dbe\x1f\uf957\n\u7dc7\x1f\U0002f96e\U00031e7c\n\u7df4\x1f\uf996\ufa57\ufab0\n\u7e02"
    "\x1f\U0002f96f\n\u7e09\x1f\ufa58\n\u7e37\x1f\uf950\n\u7e41\x1f\ufa59\n\u7e45\x1f\U0002f970\n\u7f36\x1f"
    "\u2f78\n\u7f3e\x1f\ufab1\n\u7f51\x1f\u2f79\n\u7f52\x1f\u2eab\u2eb2\n\u7f53\x1f\u2eb1\n\u7f72\x1f\ufa5a\n"
    "\u7f79\x1f\uf9e6\n\u7f7a\x1f\U0002f976\n\u7f85\x1f\uf90f\n\u7f8a\x1f\u2f7a\n\u7f95\x1f\U0002f978\n\u7f9a"
    "\x1f\uf9af\n\u7fbd\x1f\u2f7b\ufa1e\n\u7ffa\x1f\U0002f979\n\u8001\x1f\u2f7c\uf934\n\u8002\x1f\u2eb9\n\u8005"
    "\x1f\ufa5b\ufab2\U0002f97a\n\u800c\x1f\u2f7d\n\u8012\x1f\u2f7e\n\u8033\x1f\u2f7f\n\u8046\x1f\uf9b0\n\u8060"
    "\x1f\U0002f97d\n\u806f\x1f\uf997\n\u8070\x1f\U0002f97f\n\u807e\x1f\uf945\n\u807f\x1f\u2f80\n\u8080\x1f"
    "\u2eba\n\u8089\x1f\u2f81\n\u808b\x1f\uf953\n\u80ad\x1f\U0002f8d6\n\u80b2\x1f\U0002f982\n\u80fc\x1f\u8141\n"
    "\u8103\x1f\U0002f983\n\u813e\x1f\U0002f985\n\u81d8\x1f\uf926\n\u81e3\x1f\u2f82\n\u81e8\x1f\uf9f6\n\u81ea"
    "\x1f\u2f83\n\u81ed\x1f\ufa5c\n\u81f3\x1f\u2f84\n\u81fc\x1f\u2f85\n\u8201\x1f\U0002f893\U0002f98b\n\u8204"
    "\x1f\U0002f98c\n\u820c\x1f\u2f86\n\u8218\x1f\ufa6d\n\u821b\x1f\u2f87\n\u821f\x1f\u2f88\n\u826e\x1f\u2f89\n"
    "\u826f\x1f\uf97c\n\u8272\x1f\u2f8a\n\u8278\x1f\u2f8b\n\u8279\x1f\u2ebe\u2ebf\u2ec0\ufa5d\ufa5e\n\u828b\x1f"
    "\U0002f990\n\u8291\x1f\U0002f98f\n\u829d\x1f\U0002f991\n\u82b1\x1f\U0002f993\n\u82b3\x1f\U0002f994\n\u82bd"
    "\x1f\U0002f995\n\u82e5\x1f\uf974\U0002f998\n\u82e6\x1f\U0002f996\n\u831d\x1f\U0002f999\n\u8323\x1f"
    "\U0002f99c\n\u8336\x1f\uf9fe\n\u8352\x1f\ufab3\n\u8353\x1f\U0002f9a0\n\u8363\x1f\U0002f99a\n\u83ad\x1f"
    "\U0002f99b\n\u83bd\x1f\U0002f99d\n\u83c9\x1f\uf93e\n\u83ca\x1f\U0002f9a1\n\u83cc\x1f\U0002f9a2\n\u83dc\x1f"
    "\U0002f9a3\n\u83e7\x1f\U0002f99e\n\u83ef\x1f\ufab4\n\u83f1\x1f\uf958\n\u843d\x1f\uf918\n\u8449\x1f\uf96e\n"
    "\u8457\x1f\ufa5f\U0002f99f\n\u848d\x1f\u853f\n\u84ee\x1f\uf999\n\u84f1\x1f\U0002f9a8\n\u84f3\x1f\U0002f9a9"
    "\n\u84fc\x1f\uf9c2\n\u8516\x1f\U0002f9aa\n\u8564\x1f\U0002f9ac\n\u85cd\x1f\uf923\n\u85fa\x1f\uf9f0\n\u8606"
    "\x1f\uf935\n\u8612\x1f\ufa20\n\u862d\x1f\uf91f\n\u8637\x1f\u8641\n\u863f\x1f\uf910\n\u864d\x1f\u2f8c\n"
    "\u864e\x1f\u2ec1\n\u8650\x1f\U0002f9b3\n\u865c\x1f\uf936\U0002f9b4\n\u8667\x1f\U0002f9b5\n\u8669\x1f"
    "\U0002f9b6\n\u866b\x1f\u2f8d\n\u8688\x1f\U0002f9b8\n\u86a9\x1f\U0002f9b7\n\u86e2\x1f\U0002f9ba\n\u870e\x1f"
    "\U0002f9b9\n\u8728\x1f\U0002f9bc\n\u876b\x1f\U0002f9bd\n\u8779\x1f\ufab5\U0002f9bb\n\u8786\x1f\U0002f9be\n"
    "\u87ba\x1f\uf911\n\u87e1\x1f\U0002f9c0\n\u8801\x1f\U0002f9c1\n\u881f\x1f\uf927\n\u8840\x1f\u2f8e\n\u884c"
    "\x1f\u2f8f\ufa08\n\u8860\x1f\U0002f9c3\n\u8863\x1f\u2f90\U0002f9c4\n\u8864\x1f\u2ec2\n\u88c2\x1f\uf9a0\n"
    "\u88cf\x1f\uf9e7\n\u88d7\x1f\U0002f9c6\n\u88de\x1f\U0002f9c7\n\u88e1\x1f\uf9e8\n\u88f8\x1f\uf912\n\u88fa"
    "\x1f\U0002f9c9\n\u8910\x1f\ufa60\n\u8941\x1f\ufab6\n\u8964\x1f\uf924\n\u897e\x1f\u2f91\n\u897f\x1f\u2ec4\n"
    "\u8980\x1f\u2ec3\n\u8986\x1f\ufab7\n\u898b\x1f\u2f92\ufa0a\n\u8996\x1f\ufa61\ufab8\n\u89c1\x1f\u2ec5\n"
    "\u89d2\x1f\u2f93\n\u8a00\x1f\u2f94\n\u8a2e\x1f\u8a7d\n\u8aa0\x1f\U0002f9cf\n\u8aaa\x1f\uf96f\uf9a1\n\u8abf"
    "\x1f\ufab9\n\u8acb\x1f\ufabb\n\u8ad2\x1f\uf97d\n\u8ad6\x1f\uf941\n\u8aed\x1f\ufabe\U0002f9d0\n\u8af8\x1f"
    "\ufa22\ufaba\n\u8afe\x1f\uf95d\ufabd\n\u8b01\x1f\ufa62\ufabc\n\u8b39\x1f\ufa63\ufabf\n\u8b58\x1f\uf9fc\n"
    "\u8b80\x1f\uf95a\n\u8b86\x1f\u8b8f\n\u8b8a\x1f\ufac0\U0002f9d1\n\u8ba0\x1f\u2ec8\n\u8c37\x1f\u2f95\n\u8c46"
    "\x1f\u2f96\n\u8c48\x1f\uf900\n\u8c55\x1f\u2f97\U0002f9d2\n\u8c5c\x1f\u8c63\n\u8c78\x1f\u2f98\n\u8c9d\x1f"
    "\u2f99\n\u8cab\x1f\U0002f9d4\n\u8cc1\x1f\U0002f9d5\n\u8cc2\x1f\uf948\n\u8cc8\x1f\uf903\n\u8cd3\x1f\ufa64\n"
    "\u8d08\x1f\ufa65\ufac1\n\u8d1b\x1f\U00025ad4\U0002f9d6\n\u8d1d\x1f\u2ec9\n\u8d64\x1f\u2f9a\n\u8d70\x1f"
    "\u2f9b\n\u8d77\x1f\U0002f9d7\n\u8d7f\x1f\u8d86\n\u8db3\x1f\u2f9c\n\u8dbc\x1f\U0002f9db\n\u8dcb\x1f"
    "\U0002f9da\n\u8de5\x1f\u8dfa\n\u8def\x1f\uf937\n\u8df0\x1f\U0002f9dc\n\u8e97\x1f\u8e9b\n\u8eab\x1f\u2f9d\n"
    "\u8eca\x1f\u2f9e\uf902\n\u8ed4\x1f\U0002f9de\n\u8eff\x1f\u8f27\n\u8f26\x1f\uf998\n\u8f2a\x1f\uf9d7\n\u8f38"
    "\x1f\ufac2\U0002f9df\n\u8f3b\x1f\ufa07\n\u8f62\x1f\uf98d\n\u8f66\x1f\u2ecb\n\u8f9b\x1f\u2f9f\n\u8f9e\x1f"
    "\U0002f98d\n\u8fb0\x1f\u2fa0\uf971\n\u8fb5\x1f\u2fa1\n\u8fb6\x1f\u2ecc\u2ecd\ufa66\n\u9023\x1f\uf99a\n"
    "\u9038\x1f\ufa25\ufa67\n\u9072\x1f\ufac3\n\u907c\x1f\uf9c3\n\u908f\x1f\uf913\n\u9091\x1f\u2fa2\n\u9094\x1f"
    "\U0002f9e2\n\u90ce\x1f\u90de\uf92c\ufa2e\n\u90f1\x1f\U0002f9e3\n\u90fd\x1f\ufa26\n\u9111\x1f\U0002f9e4\n"
    "\u911b\x1f\U0002f9e6\n\u9149\x1f\u2fa3\n\u916a\x1f\uf919\n\u9199\x1f\ufac4\n\u91b4\x1f\uf9b7\n\u91c6\x1f"
    "\u2fa4\n\u91cc\x1f\u2fa5\uf9e9\n\u91cf\x1f\uf97e\n\u91d1\x1f\u2fa6\uf90a\n\u9234\x1f\uf9b1\n\u9238\x1f"
    "\U0002f9e7\n\u9276\x1f\ufac5\n\u927c\x1f\U0002f9ea\n\u92d7\x1f\U0002f9e8\n\u92d8\x1f\U0002f9e9\n\u9304\x1f"
    "\uf93f\n\u934a\x1f\uf99b\n\u93ad\x1f\u93ae\n\u93f9\x1f\U0002f9eb\n\u9415\x1f\U0002f9ec\n\u9485\x1f\u2ed0\n"
    "\u9578\x1f\u2ed2\n\u957f\x1f\u2ed3\n\u9580\x1f\u2fa8\n\u958b\x1f\U0002f9ee\n\u95ad\x1f\uf986\n\u95b7\x1f"
    "\U0002f9f0\n\u95e8\x1f\u2ed4\n\u961c\x1f\u2fa9\n\u961d\x1f\u2ecf\u2ed6\n\u962e\x1f\uf9c6\n\u964b\x1f\uf951"
    "\n\u964d\x1f\ufa09\n\u9675\x1f\uf959\n\u9678\x1f\uf9d3\n\u967c\x1f\ufac6\n\u9686\x1f\uf9dc\n\u96a3\x1f"
    "\uf9f1\n\u96b6\x1f\u2faa\n\u96b7\x1f\u96b8\uf9b8\ufa2f\n\u96b9\x1f\u2fab\n\u96c3\x1f\U0002f9f3\n\u96e2\x1f"
    "\uf9ea\n\u96e3\x1f\ufa68\ufac7\n\u96e8\x1f\u2fac\n\u96f6\x1f\uf9b2\n\u96f7\x1f\uf949\n\u9723\x1f\U0002f9f5"
    "\n\u9732\x1f\uf938\n\u9748\x1f\uf9b3\n\u9751\x1f\u2fad\n\u9752\x1f\u2ed8\n\u9756\x1f\ufa1c\ufac8\n\u975e"
    "\x1f\u2fae\n\u9762\x1f\u2faf\n\u9769\x1f\u2fb0\n\u97cb\x1f\u2fb1\n\u97db\x1f\ufac9\n\u97e0\x1f\U0002f9fa\n"
    "\u97e6\x1f\u2ed9\n\u97ed\x1f\u2fb2\n\u97f3\x1f\u2fb3\n\u97ff\x1f\ufa69\ufaca\n\u9801\x1f\u2fb4\n\u980b\x1f"
    "\ufacb\U0002f9fe\U0002f9ff\n\u9818\x1f\uf9b4\n\u9829\x1f\U0002fa00\n\u983b\x1f\ufa6a\ufacc\n\u985e\x1f"
    "\uf9d0\n\u9875\x1f\u2eda\n\u98a8\x1f\u2fb5\n\u98ce\x1f\u2edb\n\u98db\x1f\u2fb6\n\u98de\x1f\u2edc\n\u98df"
    "\x1f\u2edd\u2fb7\n\u98e0\x1f\u2edf\n\u98e2\x1f\U0002fa02\n\u98ef\x1f\ufa2a\n\u98fc\x1f\ufa2b\n\u9928\x1f"
    "\ufa2c\n\u9929\x1f\U0002fa04\n\u9963\x1f\u2ee0\n\u9996\x1f\u2fb8\n\u9999\x1f\u2fb9\n\u99a7\x1f\U0002fa05\n"
    "\u99ac\x1f\u2fba\n\u99c2\x1f\U0002fa06\n\u99f1\x1f\uf91a\n\u99fe\x1f\U0002fa07\n\u9a6a\x1f\uf987\n\u9a6c"
    "\x1f\u2ee2\n\u9aa8\x1f\u2fbb\n\u9ad8\x1f\u2fbc\n\u9adf\x1f\u2fbd\n\u9b12\x1f\ufacd\U0002fa0a\n\u9b25\x1f"
    "\u2fbe\n\u9b2f\x1f\u2fbf\n\u9b32\x1f\u2fc0\n\u9b3c\x1f\u2ee4\u2fc1\n\u9b5a\x1f\u2fc2\n\u9b6f\x1f\uf939\n"
    "\u9c40\x1f\U0002fa0b\n\u9c57\x1f\uf9f2\n\u9c7c\x1f\u2ee5\n\u9ce5\x1f\u2fc3\n\u9cfd\x1f\U0002fa0c\n\u9d67"
    "\x1f\U0002fa0f\n\u9db4\x1f\ufa2d\n\u9dfa\x1f\uf93a\n\u9e1e\x1f\uf920\n\u9e42\x1f\u9e43\n\u9e75\x1f\u2fc4\n"
    "\u9e7f\x1f\u2fc5\uf940\n\u9e97\x1f\uf988\n\u9e9f\x1f\uf9f3\n\u9ea5\x1f\u2fc6\n\u9ea6\x1f\u2ee8\n\u9ebb\x1f"
    "\u2fc7\U0002fa15\n\u9ec3\x1f\u2fc8\n\u9ec4\x1f\u2ee9\n\u9ecd\x1f\u2fc9\n\u9ece\x1f\uf989\n\u9ed1\x1f\u2fca"
    "\u9ed2\n\u9ef9\x1f\u2fcb\U0002fa17\n\u9efd\x1f\u2fcc\n\u9efe\x1f\U0002fa18\n\u9f05\x1f\U0002fa19\n\u9f0e"
    "\x1f\u2fcd\n\u9f0f\x1f\U0002fa1a\n\u9f13\x1f\u2fce\n\u9f16\x1f\U0002fa1b\n\u9f20\x1f\u2fcf\n\u9f3b\x1f"
    "\u2fd0\U0002fa1c\n\u9f43\x1f\ufad8\n\u9f4a\x1f\u2fd1\n\u9f50\x1f\u2eec\n\u9f52\x1f\u2fd2\n\u9f7f\x1f\u2eee"
    "\n\u9f8d\x1f\u2fd3\uf9c4\n\u9f8e\x1f\ufad9\n\u9f99\x1f\u2ef0\n\u9f9c\x1f\u2fd4\uf907\uf908\uface\n\u9f9f"
    "\x1f\u2ef3\n\u9fa0\x1f\u2fd5\n\ua04a\x1f\ua49e\n\ua050\x1f\ua4ac\n\ua0c0\x1f\ua49c\n\ua132\x1f\ua4a8\n"
    "\ua259\x1f\ua4bf\n\ua2b1\x1f\ua4be\n\ua2cd\x1f\ua494\n\ua3ab\x1f\ua4c0\n\ua3b5\x1f\ua4c2\n\ua3bf\x1f\ua4ba"
    "\n\ua3c2\x1f\ua4b0\n\ua458\x1f\ua4a7\n\ua4d5\x1f\u22a5\u27c2\ua7b1\U0001d21c\n\ua4e4\x1f\ua79e\n\ua4e8\x1f"
    "\u2141\n\ua4f6\x1f\u2142\U00010411\U00016f26\U0001d215\U0001d22b\n\ua64c\x1f\u2cb0\ua7b6\n\ua658\x1f"
    "\U00016f1c\U0001f701\n\ua669\x1f\U000104eb\n\ua6f3\ua6f3\x1f\ua6f4\n\ua727\x1f\ua795\n\ua73e\x1f\u03ff\n"
    "\ua73f\x1f\u037d\n\ua770\x1f\u2079\n\ua779\x1f\ua77a\n\ua786\x1f\u10a0\n\ua792\x1f\u0404\u20ac\u2c88\n"
    "\ua793\x1f\u025b\u03b5\u03f5\u0454\u0511\u22f4\u2c89\uab9b\U00010429\U000118ce\U0001d6c6\U0001d6dc"
    "\U0001d700\U0001d716\U0001d73a\U0001d750\U0001d774\U0001d78a\U0001d7ae\U0001d7c4\n\ua793\u0332\x1f\u2377\n"
    "\ua7ce\x1f\u0295\ua7cf\n\ua7d3\x1f\ua7d2\n\ua7d5\x1f\ua7d4\n\ua7fb\x1f\u15b7\U0001d230\n\ua8fb\x1f"
    "\U000111dc\n\ua8fc\x1f\U000111db\n\ua99d\x1f\ua9a3\n\ua9d0\x1f\ua9c6\n\uaa01\x1f\uaa53\n\uaa23\x1f\uaa56\n"
    "\uab51\x1f\u1e43\n\ufb1d\x1f\ufb39\n\ufb2a\x1f\ufb2b\ufb49\n\ufb2c\x1f\ufb2d\n\ufb2e\x1f\ufb2f\ufb30\n"
    "\ufe3f\x1f\uff3e\n\ufe72\u0651\x1f\ufc5e\n\ufe74\u0651\x1f\ufc5f\n\ufe76\u0651\x1f\ufc60\n\ufe77\u0651\x1f"
    "\ufcf2\n\ufe78\u0651\x1f\ufc61\n\ufe79\u0651\x1f\ufcf3\n\ufe7a\u0651\x1f\ufc62\n\ufe7b\u0651\x1f\ufcf4\n"
    "\ufe7c\u0670\x1f\ufc63\n\uff9e\x1f\u309b\n\uff9f\x1f\u309c\n\U000102a8\x1f\u2295\u2a01\ua69a\U0001f728\n"
    "\U000102bc\x1f\u25bd\U0001d214\U0001f704\n\U000102c0\x1f\u29d6\n\U00010382\x1f\U000103d1\n\U00010393\x1f"
    "\U000103d3\n\U0001039a\x1f\U00012038\n\U00010412\x1f\ua79a\n\U0001043a\x1f\ua79b\n\U00010486\x1f\U000104a0"
    "\n\U0001099e\x1f\u2625\U000132f9\n\U00010a56\U00010a56\x1f\U00010a57\n\U00010c82\x1f\U00010cfc\n\U00010ca5"
    "\x1f\U00010cfa\n\U00010efa\x1f\u0348\n\U00011434\U00011442\U00011412\x1f\U00011413\n\U00011434\U00011442"
    "\U00011418\x1f\U00011419\n\U00011434\U00011442\U00011423\x1f\U00011424\n\U00011434\U00011442\U00011429\x1f"
    "\U0001142a\n\U00011434\U00011442\U0001142c\x1f\U0001142d\n\U00011434\U00011442\U0001142e\x1f\U0001142f\n"
    "\U0001144b\U0001144b\x1f\U0001144c\n\U00011582\x1f\U000115d8\U000115d9\n\U00011583\x1f\U000115da\n"
    "\U00011584\x1f\U000115db\n\U000115b2\x1f\U000115dc\n\U000115b3\x1f\U000115dd\n\U00011641\U00011641\x1f"
    "\U00011642\n\U00011ae5\U00011ae5\x1f\U00011ae8\n\U00011ae5\U00011ae5\U00011aef\x1f\U00011ae9\n\U00011ae5"
    "\U00011ae5\U00011af0\x1f\U00011aea\n\U00011ae5\U00011aef\x1f\U00011ae6\n\U00011ae5\U00011af0\x1f\U00011ae7"
    "\n\U00011aeb\U00011aeb\x1f\U00011aed\n\U00011aeb\U00011aeb\U00011aef\x1f\U00011aee\n\U00011aeb\U00011aef"
    "\x1f\U00011aec\n\U00011af3\U00011aef\x1f\U00011af4\n\U00011af3\U00011af0\x1f\U00011af5\n\U00011af3"
    "\U00011af3\x1f\U00011af6\n\U00011af3\U00011af3\U00011aef\x1f\U00011af7\n\U00011af3\U00011af3\U00011af0\x1f"
    "\U00011af8\n\U00011b62\x1f\u0956\u0a41\n\U00011b63\x1f\u0957\u0a42\n\U00011b64\x1f\u0947\u0a47\n\U00011c41"
    "\U00011c41\x1f\U00011c42\n\U00011caa\x1f\U00011cb2\n\U00016f00\x1f\u2143\n\U00016ff3\x1f\u5152\n\U0001b122"
    "\x1f\u4e8e\n\U0001ccfa\x1f\U0001f40d\n\U0001ccfc\x1f\U0001f443\n\U0001ceba\x1f\U0001f377\n\U0001cebb\x1f"
    "\U0001f3e2\n\U0001cebc\x1f\U0001f333\n\U0001cebd\x1f\U0001f34e\U0001f34f\n\U0001cebe\x1f\U0001f352\n"
    "\U0001cebf\x1f\U0001f353\n\U0001cee0\x1f\u28ff\n\U0001cef0\x1f\u29b5\n\U0001d158\U0001d165\x1f\u2669\n"
    "\U0001d158\U0001d165\U0001d16e\x1f\u266a\n\U0001f10d\x1f\u24ea\n\U0001f10e\x1f\u21ba\n\U0001f6f8\x1f"
    "\U0001ccfb\n\U0001f8d0\x1f\u21c4\n\U0001f8d1\x1f\u21cc\n\U0001fa55\x1f\u2657\n\U0001fa57\x1f\u265d\n"
    "\U0001fbfa\x1f\U0001f514\n\U00020122\x1f\U0002f803\n\U0002051c\x1f\U0002f812\n\U00020525\x1f\U0002f91b\n"
    "\U0002054b\x1f\U0002f816\n\U0002063a\x1f\U0002f80d\n\U00020804\x1f\U0002f9d9\n\U000208de\x1f\U0002f9dd\n"
    "\U00020a2c\x1f\U0002f834\n\U00020b63\x1f\U0002f838\n\U000214e4\x1f\U0002f859\n\U000216a8\x1f\U000216a7"
    "\U0002f860\n\U000216ea\x1f\U0002f861\n\U000219c8\x1f\U0002f86c\n\U00021b18\x1f\U0002f871\n\U00021d0b\x1f"
    "\U0002f8f8\n\U00021de4\x1f\U0002f87b\n\U00021de6\x1f\U0002f87d\n\U00022183\x1f\U0002f889\n\U0002219f\x1f"
    "\U0002f939\n\U00022331\x1f\U0002f891\U0002f892\n\U000226d4\x1f\U0002f8a4\n\U00022844\x1f\ufad0\n\U0002284a"
    "\x1f\ufacf\n\U00022b0c\x1f\U0002f8b8\n\U00022bf1\x1f\U0002f8be\n\U0002300a\x1f\U0002f8ca\n\U000232b8\x1f"
    "\U0002f897\n\U0002335f\x1f\U0002b73e\U0002f980\n\U00023393\x1f\U0002f989\n\U0002339c\x1f\U0002f98a\n"
    "\U000233c3\x1f\U0002f8dd\n\U000233d5\x1f\ufad1\n\U0002346d\x1f\U0002f8e3\n\U000236a3\x1f\U0002f8ec\n"
    "\U000238a7\x1f\U0002f8f0\n\U00023a8d\x1f\U0002f8f7\n\U00023afa\x1f\U0002f8f9\n\U00023cbc\x1f\U0002f8fb\n"
    "\U00023d1e\x1f\U0002f906\n\U00023ed1\x1f\U0002f90d\n\U00023f5e\x1f\U0002f910\n\U00023f8e\x1f\U0002f911\n"
    "\U00024263\x1f\U0002f91d\n\U000242ee\x1f\ufa6c\n\U000243ab\x1f\U0002f91f\n\U00024608\x1f\U0002f923\n"
    "\U00024735\x1f\U0002f926\n\U00024814\x1f\U0002aec5\U0002f927\n\U00024c36\x1f\U0002f935\n\U00024c92\x1f"
    "\U0002f937\n\U00024fa1\x1f\U0002f93b\n\U00024fb8\x1f\U0002f93c\n\U00025044\x1f\U0002f93d\n\U000250f2\x1f"
    "\U0002f942\n\U000250f3\x1f\U0002f941\n\U00025119\x1f\U0002511a\U0002f943\n\U00025133\x1f\U0002f944\n"
    "\U00025249\x1f\ufad5\n\U0002541d\x1f\U0002f94d\n\U00025626\x1f\U0002f952\n\U0002569a\x1f\U0002f954\n"
    "\U000256c5\x1f\U0002f955\n\U0002597c\x1f\U0002f95c\n\U00025aa7\x1f\U0002f95d\U0002f95e\n\U00025bab\x1f"
    "\U0002f961\n\U00025c80\x1f\U0002f965\n\U00025cd0\x1f\ufad6\n\U00025f86\x1f\U0002f96b\n\U000261da\x1f"
    "\U0002f898\n\U00026228\x1f\U0002f972\n\U00026247\x1f\U0002f973\n\U000262d9\x1f\U0002f975\n\U0002633e\x1f"
    "\U0002f977\n\U000264da\x1f\U0002f97b\n\U00026523\x1f\U0002f97c\n\U000265a8\x1f\U0002659d\U0002f97e\n"
    "\U000267a7\x1f\U0002f987\n\U000267b5\x1f\U0002f988\n\U00026b3c\x1f\U0002f997\n\U00026c36\x1f\U00026d06"
    "\U0002f9a4\n\U00026cd5\x1f\U0002f9a6\n\U00026d6b\x1f\U0002f9a5\n\U00026f2c\x1f\U0002f9ad\n\U00026fb1\x1f"
    "\U0002f9b0\n\U000270d2\x1f\U0002f9b1\n\U000273ca\x1f\U0002f9ab\n\U00027667\x1f\U0002f9c5\n\U000278ae\x1f"
    "\u4695\U0002f9cb\n\U00027966\x1f\U0002f9cc\n\U00027ca8\x1f\U0002f9d3\n\U00027ed3\x1f\ufad7\n\U00027f2f\x1f"
    "\U0002f9d8\n\U000285d2\x1f\U0002f9e0\n\U000285ed\x1f\U0002f9e1\n\U0002872e\x1f\U0002f9e5\n\U00028bfa\x1f"
    "\U0002f9ed\n\U00028d77\x1f\U0002f9f1\n\U00029145\x1f\U0002f9f6\n\U000291df\x1f\U0002f81c\n\U0002921a\x1f"
    "\U0002f9f7\n\U0002940a\x1f\U0002f9fb\n\U00029496\x1f\U0002f9fd\n\U000295b6\x1f\U0002fa01\n\U00029b30\x1f"
    "\U0002fa09\n\U0002a0ce\x1f\U0002fa10\n\U0002a105\x1f\U0002fa12\n\U0002a20e\x1f\U0002fa13\n\U0002a291\x1f"
    "\U0002fa14\n\U0002a392\x1f\U0002f88f\n\U0002a600\x1f\U0002fa1d\n\U0002b73f\x1f\u6138\n"
)

# Canonical decompositions newer than Unicode 3.2, or mended since: the parts, U+001F, the characters.
LATER_DECOMPOSITIONS = (
    "\u1b05\u1b35\x1f\u1b06\n\u1b07\u1b35\x1f\u1b08\n\u1b09\u1b35\x1f\u1b0a\n\u1b0b\u1b35\x1f\u1b0c\n\u1b0d"
    "\u1b35\x1f\u1b0e\n\u1b11\u1b35\x1f\u1b12\n\u1b3a\u1b35\x1f\u1b3b\n\u1b3c\u1b35\x1f\u1b3d\n\u1b3e\u1b35\x1f"
    "\u1b40\n\u1b3f\u1b35\x1f\u1b41\n\u1b42\u1b35\x1f\u1b43\n\u36fc\x1f\U0002f868\n\u3b9d\x1f\ufad2\n\u4018\x1f"
    "\ufad3\n\u4039\x1f\ufad4\n\u45d7\x1f\U0002f9bf\n\u4e26\x1f\ufa70\n\u4f80\x1f\ufa73\n\u5145\x1f\ufa74\n"
    "\u5168\x1f\ufa72\n\u5180\x1f\ufa75\n\u51b5\x1f\ufa71\n\u52c7\x1f\ufa76\n\u52fa\x1f\ufa77\n\u5555\x1f\ufa79"
    "\n\u5599\x1f\ufa7a\n\u559d\x1f\ufa78\n\u55e2\x1f\ufa7b\n\u585a\x1f\ufa7c\n\u58b3\x1f\ufa7d\n\u5944\x1f"
    "\ufa7e\n\u5954\x1f\ufa7f\n\u5a62\x1f\ufa80\n\u5b28\x1f\ufa81\n\u5ed2\x1f\ufa82\n\u5ed9\x1f\ufa83\n\u5f53"
    "\x1f\U0002f874\n\u5f69\x1f\ufa84\n\u5fad\x1f\ufa85\n\u6075\x1f\ufa6b\n\u60d8\x1f\ufa86\n\u6108\x1f\ufa88\n"
    "\u614e\x1f\ufa87\n\u6160\x1f\ufa8a\n\u618e\x1f\ufa89\n\u61f2\x1f\ufa8b\n\u6234\x1f\ufa8c\n\u63c4\x1f\ufa8d"
    "\n\u641c\x1f\ufa8e\n\u6452\x1f\ufa8f\n\u6556\x1f\ufa90\n\u6674\x1f\ufa91\n\u6717\x1f\ufa92\n\u671b\x1f"
    "\ufa93\n\u6756\x1f\ufa94\n\u6b79\x1f\ufa95\n\u6bba\x1f\ufa96\n\u6d41\x1f\ufa97\n\u6ecb\x1f\ufa99\n\u6edb"
    "\x1f\ufa98\n\u6f22\x1f\ufa9a\n\u701e\x1f\ufa9b\n\u716e\x1f\ufa9c\n\u7235\x1f\ufa9e\n\u72af\x1f\ufa9f\n"
    "\u732a\x1f\ufaa0\n\u7471\x1f\ufaa1\n\u7506\x1f\ufaa2\n\u753b\x1f\ufaa3\n\u761d\x1f\ufaa4\n\u761f\x1f\ufaa5"
    "\n\u76ca\x1f\ufaa6\n\u76db\x1f\ufaa7\n\u76f4\x1f\ufaa8\n\u7740\x1f\ufaaa\n\u774a\x1f\ufaa9\n\u77a7\x1f"
    "\ufa9d\n\u78cc\x1f\ufaab\n\u7ab1\x1f\ufaac\n\u7aee\x1f\U0002f95f\n\u7bc0\x1f\ufaad\n\u7c7b\x1f\ufaae\n"
    "\u7d5b\x1f\ufaaf\n\u7df4\x1f\ufab0\n\u7f3e\x1f\ufab1\n\u8005\x1f\ufab2\n\u8218\x1f\ufa6d\n\u8352\x1f\ufab3"
    "\n\u83ef\x1f\ufab4\n\u8779\x1f\ufab5\n\u8941\x1f\ufab6\n\u8986\x1f\ufab7\n\u8996\x1f\ufab8\n\u8abf\x1f"
    "\ufab9\n\u8acb\x1f\ufabb\n\u8aed\x1f\ufabe\n\u8af8\x1f\ufaba\n\u8afe\x1f\ufabd\n\u8b01\x1f\ufabc\n\u8b39"
    "\x1f\ufabf\n\u8b8a\x1f\ufac0\n\u8d08\x1f\ufac1\n\u8f38\x1f\ufac2\n\u9072\x1f\ufac3\n\u90de\x1f\ufa2e\n"
    "\u9199\x1f\ufac4\n\u9276\x1f\ufac5\n\u967c\x1f\ufac6\n\u96b7\x1f\ufa2f\n\u96e3\x1f\ufac7\n\u9756\x1f\ufac8"
    "\n\u97db\x1f\ufac9\n\u97ff\x1f\ufaca\n\u980b\x1f\ufacb\n\u983b\x1f\ufacc\n\u9b12\x1f\ufacd\n\u9f43\x1f"
    "\ufad8\n\u9f8e\x1f\ufad9\n\u9f9c\x1f\uface\n\U000105d2\u0307\x1f\U000105c9\n\U000105da\u0307\x1f\U000105e4"
    "\n\U00011099\U000110ba\x1f\U0001109a\n\U0001109b\U000110ba\x1f\U0001109c\n\U000110a5\U000110ba\x1f"
    "\U000110ab\n\U00011131\U00011127\x1f\U0001112e\n\U00011132\U00011127\x1f\U0001112f\n\U00011347\U0001133e"
    "\x1f\U0001134b\n\U00011347\U00011357\x1f\U0001134c\n\U00011382\U000113c9\x1f\U00011383\n\U00011384"
    "\U000113bb\x1f\U00011385\n\U0001138b\U000113c2\x1f\U0001138e\n\U00011390\U000113c9\x1f\U00011391\n"
    "\U000113c2\U000113b8\x1f\U000113c7\n\U000113c2\U000113c2\x1f\U000113c5\n\U000113c2\U000113c9\x1f\U000113c8"
    "\n\U000114b9\U000114b0\x1f\U000114bc\n\U000114b9\U000114ba\x1f\U000114bb\n\U000114b9\U000114bd\x1f"
    "\U000114be\n\U000115b8\U000115af\x1f\U000115ba\n\U000115b9\U000115af\x1f\U000115bb\n\U00011935\U00011930"
    "\x1f\U00011938\n\U0001611e\U0001611e\x1f\U00016121\n\U0001611e\U0001611e\U0001611f\x1f\U00016126\n"
    "\U0001611e\U0001611e\U00016120\x1f\U00016128\n\U0001611e\U0001611f\x1f\U00016123\n\U0001611e\U00016120\x1f"
    "\U00016125\n\U0001611e\U00016129\x1f\U00016122\n\U0001611e\U00016129\U0001611f\x1f\U00016127\n\U00016129"
    "\U0001611f\x1f\U00016124\n\U00016d63\U00016d67\x1f\U00016d69\n\U00016d63\U00016d67\U00016d67\x1f\U00016d6a"
    "\n\U00016d67\U00016d67\x1f\U00016d68\n\U00022844\x1f\ufad0\n\U0002284a\x1f\ufacf\n\U000233d5\x1f\ufad1\n"
    "\U000242ee\x1f\ufa6c\n\U000243ab\x1f\U0002f91f\n\U00025249\x1f\ufad5\n\U00025cd0\x1f\ufad6\n\U00027ed3\x1f"
    "\ufad7\n"
)
