#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists changes of single tokens of C code. Used by check-mutants.sh.

Relies on the layout of clang-format: operators with two operands stand between spaces, others do not.
"""
import re
from dataclasses import dataclass

HIDDEN = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
    r"|^[ \t]*\#[ \t]*define[ \t]+\w+(?:\([^)\n]*\))?|^[ \t]*\#(?![ \t]*define)(?:[^\n]*\\\n)*[^\n]*",
    re.DOTALL | re.MULTILINE)
# Assertions are not behaviour; declarations without a value contain only sizes.
NOT_JUDGED = re.compile(r"^\s*(?:assert|static_assert|_Static_assert|typedef|extern)\b.*$"
                        r"|^\s*(?!return\b|else\b|case\b|default\b)(?:static\s+)?(?:const\s+)?[a-z]\w*\s[^=(]*;$", re.MULTILINE)

NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?)[uUlLfF]*(?![\w.])")
OPERATOR = re.compile(r"(?<= )(\+|-|\*|/|%|<=?|>=?|==|!=|&&|\|\||\+=|-=|\*=|/=)(?=[ \n])")
OTHERS = {
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "<": ["<=", ">"], "<=": ["<", ">"], ">": [">=", "<"], ">=": [">", "<"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
}
WORDS = {"true": "false", "false": "true", "fmin": "fmax", "fmax": "fmin", "sin": "cos", "cos": "sin",
         "fabs": "", "floor": "ceil", "ceil": "floor", "arb_lt": "arb_gt", "arb_gt": "arb_lt",
         "arb_add": "arb_sub", "arb_sub": "arb_add", "arb_mul": "arb_div"}
WORD = re.compile(r"(?<![\w.>])(?:" + "|".join(WORDS) + r")\b")
SIGN = re.compile(r"(?<![-\w)\]>])[-!](?=[\w(])")
CONDITION = re.compile(r"\bif (\()")
JUMP = re.compile(r"\b(?:break|continue);")
PLACE = r"\*?[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^\]\n]*\])*"
STATEMENT = re.compile(rf"^[ \t]+((?:{PLACE} [-+*/]?= [^;\n]*|[a-z]\w*\([^;\n]*\));)$", re.MULTILINE)
# Missing initialisation and release are found by valgrind and the sanitizers, not by the suites.
MEMORY = re.compile(r"\w*(?:free|clear|close|destroy|release|_init)\w*\(")


@dataclass(frozen=True)
class Mutant:
    """`edits`: (from, to, new text), in order."""
    file: str
    line: int
    edits: tuple
    old: str
    new: str

    def apply(self, text):
        for begin, end, new in reversed(self.edits):
            text = text[:begin] + new + text[end:]
        return text

    def __str__(self):
        return f"{self.file}:{self.line}: {self.old} -> {self.new}"


def blank(text):
    """The text with spaces in place of everything that is not mutated; same length."""
    def spaces(match):
        return re.sub(r"[^\n]", " ", match.group())
    return NOT_JUDGED.sub(spaces, HIDDEN.sub(spaces, text))


def other_number(text):
    """A tolerance a hundred times as wide, a fraction a fifth larger, an integer one larger."""
    body = text.rstrip("uUlLfF") if not text.lower().startswith("0x") else text
    suffix = text[len(body):]
    if text.lower().startswith("0x"):
        return f"({text} + 1)"
    if "e" in body.lower():
        mantissa, exponent = body.lower().split("e")
        return f"{mantissa}e{int(exponent) + 2}{suffix}"
    if "." in body:
        value = float(body)
        new = "1" if value == 0 else repr(round(value * 1.2, 12))
        return new + ("" if "." in new or "e" in new else ".0") + suffix
    return str(int(body) + 1) + suffix


def closing(code, at):
    """Position of the parenthesis that closes the one at `at`."""
    depth = 0
    for i in range(at, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i
    return -1


def single_edits(code):
    for m in NUMBER.finditer(code):
        yield m.start(), m.end(), other_number(m.group())
    for m in OPERATOR.finditer(code):
        for new in OTHERS[m.group()]:
            yield m.start(), m.end(), new
    for m in WORD.finditer(code):
        yield m.start(), m.end(), WORDS[m.group()]
    for m in SIGN.finditer(code):
        yield m.start(), m.end(), ""
    for m in JUMP.finditer(code):
        yield m.start(), m.end(), ";"


def edits_of(code):
    for edit in single_edits(code):
        yield (edit,)
    for m in CONDITION.finditer(code):
        begin, end = m.start(1), closing(code, m.start(1))
        if end >= 0:
            for new in ("0 && (", "1 || ("):
                yield (begin + 1, begin + 1, new), (end, end, ")")
    for m in STATEMENT.finditer(code):
        statement, before = m.group(1), code[:m.start(1)].rstrip()
        whole = statement.count("(") == statement.count(")") and before.endswith((";", "{", "}", ")", ":", "else"))
        if whole and not MEMORY.match(statement):
            yield ((m.start(1), m.end(1), ";"),)


def mutants_of(file, text):
    """All mutants of a file, by place."""
    lines = text.split("\n")
    found = []
    for edits in edits_of(blank(text)):
        line = text.count("\n", 0, edits[0][0])
        start = text.rfind("\n", 0, edits[0][0]) + 1
        length = len(lines[line])
        new = lines[line]
        for begin, end, by in reversed(edits):
            if end - start <= length:
                new = new[:begin - start] + by + new[end - start:]
        found.append(Mutant(file, line + 1, edits, lines[line].strip(), new.strip()))
    return sorted(found, key=lambda m: (m.edits, m.new))
