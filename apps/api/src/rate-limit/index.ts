// Limits how often one credential may ask.
export { limitRate } from './limit-rate.ts';
