// Tells `npm run faults` what a fault did.
import { appendFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { EditRecord } from './edit-load.ts';
import type { JoinRecord } from './join-load.ts';
import type { Reckoning } from './reckon.ts';

export const reportFault = (
  joins: JoinRecord,
  { edits }: EditRecord,
  { lostJoins, lostEdits, overfullSessions, inventedSeats }: Reckoning,
): void => {
  const file = process.env.FAULTS_REPORT;
  if (file === undefined) return;
  const report = {
    name: expect.getState().currentTestName,
    ...{ joins: joins.joins.length, edits: edits.length },
    ...{ putOff: joins.putOff, unanswered: joins.unanswered },
    slowestMs: Math.round(joins.slowest),
    ...{ lostJoins, lostEdits, seatsTooMany: overfullSessions + inventedSeats },
  };
  appendFileSync(file, `${JSON.stringify(report)}\n`);
};
