import { setTimeout as delay } from 'node:timers/promises';

/** What the last variant has left to do, such as collecting its garbage, is not measured with the next one. */
export const settle = () => delay(200);
