// Custom data has texts only. Files also have numbers, true and false there, which become the text that the file has.
import { parsePaced } from '../../flow/index.ts';

export type ConvertedValues = {
  value: unknown;
  /** The number of values that were not text. */
  converted: number;
};

/** As in the schema of custom data, which refuses larger ones. */
const MAX_ENTRIES = 64;

/** `json` is the text that the values were parsed from; `path` leads to the custom data in it, or to one value. */
export type WrittenJson = {
  /** The value as text; null is no value; undefined for a list or an object. */
  toText(value: unknown, ...path: string[]): Promise<string | null | undefined>;
  toTexts(map: unknown, ...path: string[]): Promise<ConvertedValues>;
};

export const readWritten = (json: string): WrittenJson => {
  let quoted: Promise<unknown> | undefined;
  const readQuoted = () => {
    quoted ??= parsePaced(quoteNumbers(json));
    return quoted;
  };
  const toText: WrittenJson['toText'] = async (value, ...path) => {
    if (value === null || typeof value === 'string') return value;
    if (typeof value === 'boolean') return String(value);
    if (typeof value !== 'number') return undefined;
    let written = await readQuoted();
    for (const part of path) written = (written as Record<string, unknown>)[part];
    return String(written);
  };
  return {
    toText,
    async toTexts(map, ...path) {
      const isMap = typeof map === 'object' && map !== null && !Array.isArray(map);
      const entries = isMap ? Object.entries(map) : [];
      const isPlain = entries.every(([, value]) => typeof value === 'string');
      if (isPlain || entries.length > MAX_ENTRIES) return { value: map, converted: 0 };
      const texts: [string, unknown][] = [];
      let converted = 0;
      for (const [key, value] of entries) {
        const text = await toText(value, ...path, key);
        if (text === null) continue;
        if (text !== undefined && text !== value) converted += 1;
        texts.push([key, text ?? value]);
      }
      return { value: Object.fromEntries(texts), converted };
    },
  };
};

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Keeps the digits of a number: parsed, 1.10 is 1.1 and 1e21 is 1e+21. */
const quoteNumbers = (json: string): string =>
  json.replace(STRING_OR_NUMBER, (text) => (text.startsWith('"') ? text : `"${text}"`));
