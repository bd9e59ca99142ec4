// The operation that a request names: unknown paths and wrong methods are found here.

import { isVariable, matchTemplate, segmentsOf } from '../provider-states/resolve-state.ts';
import type { HttpInteraction } from './http-interaction.ts';
import type { OpenApi, Operation } from './openapi-document.ts';
import { methodsOf } from './openapi-document.ts';
import type { Report } from './report.ts';
import { editDistance, suggestName } from './report.ts';

export type FoundOperation = {
  operation: Operation;
  /** `/v1/history/sandbox/{sandbox_id}/item/` */
  template: string;
  /** Decoded, by name. */
  pathValues: Record<string, string>;
};

export const findOperation = (
  { request, response }: HttpInteraction,
  document: OpenApi,
  report: Report,
): FoundOperation | null => {
  for (const [template, item] of Object.entries(document.paths)) {
    const pathValues = matchTemplate(template, request.path);
    if (!pathValues || !item) continue;
    const operation = item[request.method.toLowerCase()];
    if (operation) return { operation, template, pathValues };
    const methods = methodsOf(item);
    const [first] = methods;
    const refused = first && item[first.toLowerCase()];
    if (response.status === 405 && refused) return { operation: refused, template, pathValues };
    report({
      rule: 'wrong-method',
      message: `The contract has no ${request.method} for ${template}.`,
      suggestion: `Use ${methods.join(' or ')}.`,
      at: ['request', 'method'],
    });
    return null;
  }
  reportUnknownPath(request.path, Object.keys(document.paths), report);
  return null;
};

const reportUnknownPath = (path: string, templates: readonly string[], report: Report): void => {
  const [closest] = templates
    .map((template) => ({ template, distance: pathDistance(template, path) }))
    .sort((a, b) => a.distance - b.distance);
  report({
    rule: 'unknown-path',
    message: `The contract has no path ${path}.`,
    suggestion: closest ? `Did you mean ${closest.template}?` : suggestName(path, templates),
    at: ['request', 'path'],
  });
};

const SEGMENT_COST = 10;

/** The cheapest way from one path to the other: letters changed in fixed segments, segments added or left out. */
const pathDistance = (template: string, path: string): number => {
  const given = segmentsOf(path);
  let row = Array.from({ length: given.length + 1 }, (_, index) => index * SEGMENT_COST);
  for (const expected of segmentsOf(template)) {
    const next = [(row[0] ?? 0) + SEGMENT_COST];
    for (const [index, segment] of given.entries()) {
      next.push(
        Math.min(
          (row[index] ?? 0) + segmentDistance(expected, segment),
          (row[index + 1] ?? 0) + SEGMENT_COST,
          (next[index] ?? 0) + SEGMENT_COST,
        ),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};

const segmentDistance = (expected: string, given: string): number =>
  isVariable(expected) ? 0 : Math.min(editDistance(expected, given), SEGMENT_COST);
