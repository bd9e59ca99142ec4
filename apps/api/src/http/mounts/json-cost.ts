// Estimates the cost of parsing a JSON text from its bytes.
import { randomInt } from 'node:crypto';
import { createPacer } from '../../flow/index.ts';
import { ServiceError } from '../../platform/index.ts';

export type BodyLimit = {
  bytes: number;
  /** Characters that begin a list, an object or the value of a member, including those in strings. */
  marks: number;
  /** Different names of members. */
  names: number;
};

/**
 * Throws `body_too_large` for JSON that takes long to parse. A megabyte of text takes a millisecond; a megabyte of the smallest lists, objects
 * and members a hundred, and several hundred where the names of all members differ. Yields the event loop in between.
 */
export const refuseCostlyJson = async (bytes: Buffer, most: BodyLimit): Promise<void> => {
  const pacer = createPacer();
  for (const _ of countCost(bytes, most)) if (pacer.isDue()) await pacer.rest();
};

function* countCost(bytes: Buffer, most: BodyLimit): Generator<void> {
  if (bytes.length <= most.names) return;
  let marks = 0;
  for (const part of cutBytes(bytes)) {
    yield;
    marks += countMarks(part);
  }
  if (marks > most.marks) throw createCostError(most.marks, 'of the characters [, { and :');
  if (marks <= most.names) return;
  const counter = createNameCounter();
  for (const part of cutBytes(bytes)) {
    yield;
    counter.add(part);
  }
  if (counter.names() > most.names) throw createCostError(most.names, 'names that differ');
}

/** Some tenths of a millisecond. */
const PART_BYTES = 32_768;

function* cutBytes(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

const createCostError = (most: number, what: string): ServiceError =>
  new ServiceError('body_too_large', {
    desc: `The body has more than ${most.toLocaleString('en')} ${what}.`,
  });

/** `[`, `{` and `:`. By index: an iterator takes eight times as long. */
const countMarks = (bytes: Buffer): number => {
  let marks = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === 0x5b || byte === 0x7b || byte === 0x3a) marks += 1;
  }
  return marks;
};

/** Names with equal hashes count once: some thousands of 65,536 names. */
const HASH_BITS = 20;
/** Secret, so that clients cannot construct names with equal hashes. Odd, as multiplicative hashing requires. */
const HASH_FACTOR = 2 * randomInt(2 ** 30, 2 ** 31) + 1;

/** Estimates the number of different names of members: strings before a colon. */
const createNameCounter = () => {
  const seen = new Uint8Array(2 ** HASH_BITS);
  const last = { names: 0, hash: 0, name: 0, isEscaped: false };
  return {
    names: () => last.names,
    add(bytes: Buffer) {
      let { names, hash, name, isEscaped } = last;
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index] as number;
        if (byte === 0x22 && !isEscaped) {
          name = Math.imul(hash, HASH_FACTOR) >>> (32 - HASH_BITS);
          hash = 0;
        } else {
          hash = Math.imul(hash ^ byte, HASH_FACTOR);
          // A multiplication carries bits upwards only: without this, a third of the names collided with one factor of some hundred.
          hash ^= hash >>> 15;
        }
        isEscaped = byte === 0x5c && !isEscaped;
        if (byte !== 0x3a || seen[name] === 1) continue;
        seen[name] = 1;
        names += 1;
      }
      Object.assign(last, { names, hash, name, isEscaped });
    },
  };
};
