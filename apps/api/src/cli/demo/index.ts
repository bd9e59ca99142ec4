// Demo data: a game with a year of history, loaded into an empty database, and sample requests for it. Fixed seeds
// generate everything; sessions follow the rules of joins and changes, versions those of edits.
export { type DemoExamples, findDemoExamples } from './demo-examples-store.ts';
export { loadDemoData } from './demo-store.ts';
