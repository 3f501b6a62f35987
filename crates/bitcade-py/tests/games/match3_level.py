"""Match-3 on level files."""

import bitcade
from games import NO_NUMBERS, NO_STARTS, Facts, zeros

#: A little of everything; some games are won before their moves are used up.
TEXT = """
version = 1
name = "Bits"
colors = [2, 1, 1, 1]
moves = 8
falls = "diagonal"
specials = { pairs = true, square = true }
bonus = 50
goals = [{ color = 1, count = 9 }, { jelly = "all" }]
pieces = '''
??????
?R??2?
??#???
?c??i?
??????
_?????
'''
jelly = '''
......
......
...1..
......
.2....
......
'''
ice = '''
......
......
......
......
...2..
......
'''
locks = '''
......
......
....x.
......
......
......
'''
exits = '''
......
......
......
......
......
....x.
'''

[legend]
c = { crate = 2 }
i = "item"
R = { color = 3, special = "row" }
"""
OTHER = bitcade.match3.Level.parse(TEXT.replace("moves = 8", "moves = 9").replace('"diagonal"', '"straight"'))
LARGE = "level=('version=1\\ncolors=15\\nmoves=9\\npieces=\"\"\"' + '\\n' + '\\n'.join(['?' * 16] * 16) + '\"\"\"')"

FACTS = Facts(
    small={"level": TEXT},
    other_rules={"level": OTHER},
    values={"level": [OTHER], "goal_reward": [0]},
    wrong={
        "level": [None, 1, "x", b"x", {}, TEXT + "=", bitcade.match3.Level.parse(TEXT.replace("moves = 8", "time = 8"))],
        "goal_reward": [*NO_NUMBERS, -1, 2**32],
        "starts": [*NO_STARTS, *(zeros(1, 6, 6) + cell for cell in (0, 1, 64, 99, 255, 256, 1.0)), zeros(1, 6, 5) + 1],
    },
    large=(LARGE, "", 3 * 10**4, 3000),
    long_calls=[],
)
