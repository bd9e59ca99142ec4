// Reads pact files of every kind and place.
export type { JsonPath } from './json-document.ts';
export { loadPacts } from './load-pacts.ts';
export { PROVIDER_NAME, selectOwnPacts } from './own-pacts.ts';
export { readPact } from './read-pact.ts';
