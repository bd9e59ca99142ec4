// Demo data: a game that looks a year old, loaded into an empty database, and what to try on it.
// Everything is made up from fixed seeds; sessions grow by the rules of joins and changes, versions by those of edits.
export { type DemoExamples, findDemoExamples } from './demo-examples-store.ts';
export { loadDemoData } from './demo-store.ts';
