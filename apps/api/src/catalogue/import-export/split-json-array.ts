// Splits the text of a JSON array into its elements as it arrives, so that no file is parsed in one step.

/** `row` counts the elements from 1. A problem ends the text. */
type Piece = { row: number; text: string } | { row: number; msg: string };

/** `text` begins with the bracket, after white space. Each character is read once. */
export async function* splitJsonArray(
  text: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<Piece> {
  const state = { row: 0, depth: 0, inString: false, isEscaped: false };
  let element = '';
  let hasEnded = false;
  for await (const chunk of text) {
    let start = 0;
    const mark = /["\\[\]{},]/g;
    if (state.isEscaped) mark.lastIndex = 1;
    if (chunk !== '') state.isEscaped = false;
    for (let found = mark.exec(chunk); found && !hasEnded; found = mark.exec(chunk)) {
      const at = found.index;
      const isCut = step(state, found[0]);
      if (state.isEscaped) {
        state.isEscaped = at + 1 >= chunk.length;
        mark.lastIndex = at + 2;
      }
      if (isCut === 'open') start = at + 1;
      if (isCut !== 'cut') continue;
      hasEnded = state.depth === 0;
      const whole = element + chunk.slice(start, at);
      element = '';
      start = at + 1;
      const isEmptyArray = hasEnded && state.row === 0 && whole.trim() === '';
      if (isEmptyArray) continue;
      state.row += 1;
      yield { row: state.row, text: whole };
    }
    if (hasEnded) {
      if (chunk.slice(start).trim() === '') continue;
      return yield { row: state.row + 1, msg: 'There is more after the end of the array' };
    }
    element += chunk.slice(start);
    if (element.length > maxLength) {
      const msg = `The record is longer than ${maxLength} characters; reading stopped here`;
      return yield { row: state.row + 1, msg };
    }
  }
  if (!hasEnded) yield { row: state.row + 1, msg: 'The array does not end: its ] is missing' };
}

type State = { depth: number; inString: boolean; isEscaped: boolean };

/** Handles one character of the syntax; returns whether it opens the array or ends an element. */
const step = (state: State, mark: string): 'open' | 'cut' | 'inside' => {
  if (state.inString) {
    if (mark === '\\') state.isEscaped = true;
    else if (mark === '"') state.inString = false;
    return 'inside';
  }
  if (mark === '"') state.inString = true;
  if (mark === '[' || mark === '{') {
    state.depth += 1;
    return state.depth === 1 ? 'open' : 'inside';
  }
  if (mark === ']' || mark === '}') {
    state.depth -= 1;
    return state.depth === 0 ? 'cut' : 'inside';
  }
  return mark === ',' && state.depth === 1 ? 'cut' : 'inside';
};
