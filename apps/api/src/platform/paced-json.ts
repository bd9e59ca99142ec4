// JSON of megabytes, read and written so that everything else runs in between. JSON.parse and JSON.stringify do the work, on one piece
// after the other, so that the results are theirs.
import type { Pacer } from './pacer.ts';
import { createPacer } from './pacer.ts';
import type { Semaphore } from './semaphore.ts';
import { createSemaphore } from './semaphore.ts';

/** Characters: read and written in some milliseconds at most, whatever they are. */
const AT_ONCE = 65_536;
/** Of a longer text: a millisecond. */
const PIECE = 16_384;

/** No input needs more than some hundred. Where a text is cut, each level takes 250 bytes, however few characters it has. */
const MAX_LEVELS = 1_000;

export class NestsTooDeepError extends SyntaxError {
  override readonly name = 'NestsTooDeepError';
}

/** What has been read of a text takes many times its bytes, and one after the other is as fast as all at once. */
const oneOfAll = createSemaphore(1);

type ParseOptions = {
  pacer?: Pacer;
  /** Texts of so many characters are not cut. */
  atOnce?: number;
  /** So many characters are read in one step. */
  piece?: number;
  /** Those that wait for each other; absent: all that name none. */
  oneByOne?: Semaphore;
};

/** A list or an object whose end is not known yet. */
type Open = {
  isList: boolean;
  /** Where its bracket is. */
  at: number;
  /** Where its newest comma is; -1 before the first one. */
  comma: number;
  /** What has been read of it; undefined while all of it is still in the text. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** True when the last thing before what is unread is an element that was read by itself. */
  isBehindElement: boolean;
};

/**
 * The value that JSON.parse reads, for exactly the texts that it reads, but for those of more than `atOnce` characters that nest deeper
 * than 1,000 levels. Throws NestsTooDeepError for these, and SyntaxError for what is no JSON. The text is cut between the elements of its
 * lists and the members of its objects, at any depth; a single text or number is never cut. Texts that are cut are read one by one.
 */
export const parsePaced = async (
  text: string,
  {
    pacer = createPacer(),
    atOnce = AT_ONCE,
    piece = PIECE,
    oneByOne = oneOfAll,
  }: ParseOptions = {},
): Promise<unknown> => {
  if (text.length <= atOnce) return JSON.parse(text);
  // What comes before and after has had its turn, too.
  await pacer.rest();
  const read = await oneByOne(() => readInPieces(text, pacer, piece));
  await pacer.rest();
  return read;
};

const readInPieces = async (text: string, pacer: Pacer, piece: number): Promise<unknown> => {
  const opened: Open[] = [];
  /** How many of these, from the outermost, have a value by now. */
  let made = 0;
  /** Where begins what is unread of the innermost one that has a value. */
  let from = 0;
  let root: unknown;
  let lookAt = 0;

  /** Gives a value to all that are open, so that what is in front of them can be read. */
  const makeAll = () => {
    for (; made < opened.length; made += 1) {
      const inner = opened[made] as Open;
      const outer = opened[made - 1];
      inner.value = inner.isList ? [] : {};
      if (outer) attach(outer, inner);
      else requireBlank(text.slice(0, inner.at));
      root ??= inner.value;
      from = inner.at + 1;
    }
  };
  const attach = (outer: Open, inner: Open) => {
    if (outer.comma >= from) {
      addPiece(outer, text.slice(from, outer.comma));
      from = outer.comma + 1;
    }
    if (outer.isBehindElement) throw new SyntaxError('There is no comma between two elements.');
    const inFront = text.slice(from, inner.at);
    if (Array.isArray(outer.value)) {
      requireBlank(inFront);
      outer.value.push(inner.value);
      return;
    }
    // It has the name of the member.
    const start = readPiece(outer, `${inFront}null`);
    for (const key of Object.keys(start)) setMember(outer, key, inner.value);
  };
  /** Reads all up to a comma or the end of the innermost one, which has a value. */
  const addUpTo = (open: Open, at: number) => {
    const unread = text.slice(from, at);
    if (open.isBehindElement) requireBlank(unread);
    else addPiece(open, unread);
    open.isBehindElement = false;
    from = at + 1;
  };

  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= lookAt) {
      if (pacer.isDue()) await pacer.rest();
      lookAt = at + PIECE;
    }
    const mark = text.charCodeAt(at);
    if (mark === QUOTE) {
      isInText = !isInText;
    } else if (isInText) {
      // What it escapes ends no text.
      if (mark === BACKSLASH) at += 1;
    } else if (mark === OPEN_LIST || mark === OPEN_OBJECT) {
      if (opened.length >= MAX_LEVELS) throw new NestsTooDeepError('It nests too deep.');
      if (opened.length > 0 && at - from > piece) makeAll();
      const isList = mark === OPEN_LIST;
      opened.push({ isList, at, comma: -1, value: undefined, isBehindElement: false });
    } else if (mark === COMMA) {
      const open = opened.at(-1);
      if (!open) throw new SyntaxError('There is more than one value.');
      open.comma = at;
      if (at - from > piece) {
        makeAll();
        if (pacer.isDue()) await pacer.rest();
      }
      if (open.value && (open.isBehindElement || at - from > piece)) addUpTo(open, at);
    } else if (mark === CLOSE_LIST || mark === CLOSE_OBJECT) {
      const open = opened.pop();
      if (open?.isList !== (mark === CLOSE_LIST)) throw new SyntaxError('Wrong bracket.');
      if (!open.value) continue;
      addUpTo(open, at);
      made -= 1;
      const outer = opened.at(-1);
      if (outer) outer.isBehindElement = true;
    }
  }
  if (root === undefined) {
    if (pacer.isDue()) await pacer.rest();
    return JSON.parse(text);
  }
  if (opened.length > 0) throw new SyntaxError('A bracket is missing.');
  requireBlank(text.slice(from));
  return root;
};

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const requireBlank = (text: string): void => {
  if (!/^[ \t\n\r]*$/.test(text)) throw new SyntaxError('Something stands between two values.');
};

/** A list or an object of these elements or members. */
const readPiece = ({ isList }: Open, inside: string): object =>
  JSON.parse(isList ? `[${inside}]` : `{${inside}}`);

const addPiece = (open: Open, inside: string): void => {
  const piece = readPiece(open, inside);
  if (Array.isArray(piece) && Array.isArray(open.value)) {
    if (piece.length === 0) throw new SyntaxError('An element is missing.');
    for (const element of piece) open.value.push(element);
    return;
  }
  const members = Object.entries(piece);
  // Nothing at all stands only in an empty list or object, which is never cut.
  if (members.length === 0) throw new SyntaxError('A member is missing.');
  for (const [key, member] of members) setMember(open, key, member);
};

const setMember = ({ value }: Open, key: string, member: unknown): void => {
  // JSON.parse makes a member of this name, too, where an assignment would set the prototype.
  if (key === '__proto__') {
    const described = { value: member, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(value, key, described);
  } else if (value && !Array.isArray(value)) value[key] = member;
};

/** What JSON.stringify writes of a value that it can write. The elements of a list are never cut, nor of a list that is a member. */
export const stringifyPaced = async (
  value: unknown,
  pacer: Pacer = createPacer(),
): Promise<string> => {
  const writeList = async (list: readonly unknown[]): Promise<string> => {
    const texts: string[] = [];
    for (const element of list) {
      if (pacer.isDue()) await pacer.rest();
      texts.push(JSON.stringify(element) ?? 'null');
    }
    return `[${texts.join(',')}]`;
  };
  if (Array.isArray(value)) return writeList(value);
  if (typeof value !== 'object' || value === null || 'toJSON' in value)
    return JSON.stringify(value);
  const texts: string[] = [];
  for (const [name, member] of Object.entries(value)) {
    const text = Array.isArray(member) ? await writeList(member) : JSON.stringify(member);
    if (text !== undefined) texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts.join(',')}}`;
};

/** The bytes of a text, as Buffer.from makes them. */
export const encodePaced = async (text: string, pacer: Pacer = createPacer()): Promise<Buffer> => {
  if (text.length <= AT_ONCE) return Buffer.from(text);
  const parts: Buffer[] = [];
  for (const part of cutText(text, AT_ONCE)) {
    if (pacer.isDue()) await pacer.rest();
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
};

/** Parts of so many characters, or one more: a character of two code units is not cut in two. */
export function* cutText(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = at + length - 1;
    const end = last + ((text.codePointAt(last) ?? 0) > 0xff_ff ? 2 : 1);
    yield text.slice(at, end);
    at = end;
  }
}
