// Parses and writes megabytes of JSON in pieces, and yields the event loop in between. JSON.parse and JSON.stringify process each piece.
import type { Pacer } from './pacer.ts';
import { createPacer } from './pacer.ts';
import { createSemaphore } from './semaphore.ts';

/** Characters that take some milliseconds at most. */
const SYNC_LENGTH = 65_536;
/** Characters that take a millisecond: the pieces of a longer text. */
const PIECE = 16_384;

/** Inputs have some hundred at most. In a text that is cut, each level takes 250 bytes of memory. */
const MAX_LEVELS = 1_000;

/** Values take many times the memory of their texts, and parsing several texts at once is no faster. */
const parseLock = createSemaphore(1);

type ParseOptions = {
  /** Longest text that is parsed in one step, in characters. */
  syncLength?: number;
  /** Characters of one piece. */
  piece?: number;
};

/** A list or an object whose end has not been found. */
type Open = {
  isList: boolean;
  /** Index of its bracket. */
  at: number;
  /** Index of its latest comma, or -1. */
  comma: number;
  /** The value so far; undefined before the first piece. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** True when an element that was parsed separately precedes the unparsed text. */
  isAfterElement: boolean;
};

/**
 * Like JSON.parse, which has no limit of levels: a text of more than `syncLength` characters has 1,000 at most. Cuts the text between
 * elements and members at any depth, but never a string or a number.
 */
export const parsePaced = async (
  text: string,
  { syncLength = SYNC_LENGTH, piece = PIECE }: ParseOptions = {},
): Promise<unknown> => {
  if (text.length <= syncLength) return JSON.parse(text);
  const pacer = createPacer();
  // The caller may have used a time slice before, and may use another one afterwards.
  await pacer.rest();
  const read = await parseLock(() => readInPieces(text, pacer, piece));
  await pacer.rest();
  return read;
};

const readInPieces = async (text: string, pacer: Pacer, piece: number): Promise<unknown> => {
  const opened: Open[] = [];
  /** The number of these, from the outermost, that have a value. */
  let made = 0;
  /** Index of the unparsed text of the innermost one that has a value. */
  let from = 0;
  let root: unknown;
  let lookAt = 0;

  /** Makes the values of all that are open, so that the text before the innermost one can be parsed. */
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
    if (outer.isAfterElement) throw new SyntaxError('There is no comma between two elements.');
    const inFront = text.slice(from, inner.at);
    if (Array.isArray(outer.value)) {
      requireBlank(inFront);
      outer.value.push(inner.value);
      return;
    }
    // The text before it has the name of the member.
    const start = readPiece(outer, `${inFront}null`);
    for (const key of Object.keys(start)) setMember(outer, key, inner.value);
  };
  /** Parses up to a comma or the end of the innermost one, which has a value. */
  const addUpTo = (open: Open, at: number) => {
    const unread = text.slice(from, at);
    if (open.isAfterElement) requireBlank(unread);
    else addPiece(open, unread);
    open.isAfterElement = false;
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
      // An escaped quote does not end the string.
      if (mark === BACKSLASH) at += 1;
    } else if (mark === OPEN_LIST || mark === OPEN_OBJECT) {
      if (opened.length >= MAX_LEVELS) throw new SyntaxError('It nests too deep.');
      if (opened.length > 0 && at - from > piece) makeAll();
      const isList = mark === OPEN_LIST;
      opened.push({ isList, at, comma: -1, value: undefined, isAfterElement: false });
    } else if (mark === COMMA) {
      const open = opened.at(-1);
      if (!open) throw new SyntaxError('There is more than one value.');
      open.comma = at;
      if (at - from > piece) {
        makeAll();
        if (pacer.isDue()) await pacer.rest();
      }
      if (open.value && (open.isAfterElement || at - from > piece)) addUpTo(open, at);
    } else if (mark === CLOSE_LIST || mark === CLOSE_OBJECT) {
      const open = opened.pop();
      if (open?.isList !== (mark === CLOSE_LIST)) throw new SyntaxError('Wrong bracket.');
      if (!open.value) continue;
      addUpTo(open, at);
      made -= 1;
      const outer = opened.at(-1);
      if (outer) outer.isAfterElement = true;
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
  if (!/^[ \t\n\r]*$/.test(text)) throw new SyntaxError('There is text between two values.');
};

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
  // Only an empty list or object has no text, and it is never cut.
  if (members.length === 0) throw new SyntaxError('A member is missing.');
  for (const [key, member] of members) setMember(open, key, member);
};

const setMember = ({ value }: Open, key: string, member: unknown): void => {
  // JSON.parse makes a member of this name; an assignment would set the prototype.
  if (key === '__proto__') {
    const described = { value: member, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(value, key, described);
  } else if (value && !Array.isArray(value)) value[key] = member;
};

/** Like JSON.stringify. Yields between the elements of a list, and of lists that are members of an object. */
export const stringifyPaced = async (value: unknown): Promise<string> => {
  const pacer = createPacer();
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

/** Like Buffer.from. */
export const encodePaced = async (text: string): Promise<Buffer> => {
  if (text.length <= SYNC_LENGTH) return Buffer.from(text);
  const pacer = createPacer();
  const parts: Buffer[] = [];
  for (const part of cutText(text, SYNC_LENGTH)) {
    if (pacer.isDue()) await pacer.rest();
    parts.push(Buffer.from(part));
  }
  return Buffer.concat(parts);
};

/** Parts of `length` code units, or one more where a surrogate pair would be cut. */
export function* cutText(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const last = at + length - 1;
    const end = last + ((text.codePointAt(last) ?? 0) > 0xff_ff ? 2 : 1);
    yield text.slice(at, end);
    at = end;
  }
}
