import type { Job } from './job.ts';
import { CUT_PRICES, IMPORT, PROMOTE, SAVE_VIEW } from './list-jobs.ts';
import { END_STALE, EXPORT_LIST, PASTE_CURVE } from './other-jobs.ts';
import { COMPARE, RESTORE, UNDO } from './past-jobs.ts';
import { EXPLAIN_REFUSAL } from './refused-join-job.ts';
import { WEEKEND_SALE } from './sale-job.ts';

export const JOBS: readonly Job[] = [
  UNDO,
  CUT_PRICES,
  WEEKEND_SALE,
  RESTORE,
  PROMOTE,
  IMPORT,
  EXPLAIN_REFUSAL,
  SAVE_VIEW,
  COMPARE,
  END_STALE,
  EXPORT_LIST,
  PASTE_CURVE,
];
