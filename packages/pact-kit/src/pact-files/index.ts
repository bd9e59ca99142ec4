// Reads pact files of every kind and place.
export type { JsonDocument, JsonPath, JsonProblem } from './json-document.ts';
export { parseJson } from './json-document.ts';
export type { LoadedPacts, LoadOptions } from './load-pacts.ts';
export { loadPacts } from './load-pacts.ts';
export type { ReadPact } from './read-pact.ts';
export { readPact } from './read-pact.ts';
