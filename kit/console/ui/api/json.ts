// JSON as the service writes it. A number that a double can't hold, such as an id above
// 2^53, is an Exact: its digits are shown and sent back as they came.

export class Exact {
  constructor(readonly text: string) {}
  toString(): string { return this.text; }
}

export type Value = null | boolean | number | string | Exact | Value[] | Members;
export interface Members { [name: string]: Value }

export function parse(text: string): Value {
  const reader = new Reader(text);
  const value = reader.value();
  reader.end();
  return value;
}

/** Prints a value, in lines where indent is given. */
export function print(value: Value, indent = ""): string { return written(value, indent, "\n"); }

function written(value: Value, indent: string, line: string): string {
  if (value instanceof Exact) return value.text;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = line + indent;
  const list = Array.isArray(value);
  const parts = list
    ? value.map((one) => written(one, indent, inner))
    : Object.entries(value).map(([name, one]) => JSON.stringify(name) + (indent ? ": " : ":") + written(one, indent, inner));
  const [open, close] = list ? "[]" : "{}";
  if (parts.length === 0) return `${open}${close}`;
  return indent ? open + inner + parts.join("," + inner) + line + close : open + parts.join(",") + close;
}

/** The number that the digits stand for: a double where it has exactly these digits. */
export function number(text: string): number | Exact {
  const double = Number(text);
  return String(double) === text ? double : new Exact(text);
}

export const isMembers = (value: Value | undefined): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);

export const members = (value: Value | undefined): Members => (isMembers(value) ? value : {});
export const list = (value: Value | undefined): Value[] => (Array.isArray(value) ? value : []);
export const text = (value: Value | undefined): string =>
  value === null || value === undefined ? "" : typeof value === "object" && !(value instanceof Exact) ? print(value) : String(value);

/** Whether two values are the same, whatever the order of their members. */
export function same(a: Value | undefined, b: Value | undefined): boolean {
  if (a instanceof Exact || b instanceof Exact) return text(a) === text(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i]));
  if (isMembers(a) && isMembers(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => same(a[name], b[name]));
  }
  return a === b;
}

const space = /[ \t\n\r]*/y;
const string = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const digits = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  value(): Value {
    this.skip();
    switch (this.text[this.at]) {
      case "{": return this.object();
      case "[": return this.array();
      case '"': return this.string();
      case "t": return this.word("true", true);
      case "f": return this.word("false", false);
      case "n": return this.word("null", null);
    }
    return number(this.match(digits));
  }

  end(): void {
    this.skip();
    if (this.at < this.text.length) this.fail();
  }

  private object(): Members {
    const all = Object.create(null) as Members; // a member may be called __proto__
    this.each("}", () => {
      this.skip();
      const name = this.string();
      this.skip();
      this.take(":");
      all[name] = this.value();
    });
    return all;
  }

  private array(): Value[] {
    const all: Value[] = [];
    this.each("]", () => all.push(this.value()));
    return all;
  }

  private each(close: string, one: () => void): void {
    this.at++;
    this.skip();
    if (this.text[this.at] === close) { this.at++; return; }
    for (;;) {
      one();
      this.skip();
      if (this.text[this.at] === close) { this.at++; return; }
      this.take(",");
    }
  }

  private string(): string { return JSON.parse(this.match(string)) as string; }

  private word<T>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.at)) this.fail();
    this.at += word.length;
    return value;
  }

  private take(char: string): void {
    if (this.text[this.at] !== char) this.fail();
    this.at++;
  }

  private skip(): void { this.match(space); }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) this.fail();
    this.at = pattern.lastIndex;
    return found[0];
  }

  private fail(): never { throw new SyntaxError(`no JSON at character ${this.at + 1}`); }
}
