// node apps/api/test/slo/print-table.ts before.jsonl after.jsonl: prints the reports of SLO_REPORT as one table in Markdown.
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { JudgedMeasurement } from './describe-measurement.ts';
import { toMarkdown } from './describe-measurement.ts';

const readReport = (file: string): JudgedMeasurement[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const reports = process.argv
  .slice(2)
  .map((file): [string, JudgedMeasurement[]] => [basename(file, extname(file)), readReport(file)]);
process.stdout.write(`${toMarkdown(Object.fromEntries(reports))}\n`);
