// Rules that a schema document cannot say, such as "one of two fields": the contract's own schema is asked too.
import { contract } from '@muster/contract';
import type { HttpRequest } from './http-interaction.ts';
import type { Report } from './report.ts';

type RouteName = keyof typeof contract;
const isRoute = (name: string): name is RouteName => Object.hasOwn(contract, name);

/** Call it for a body that the document accepts: what it still reports is a rule beyond the document. */
export const checkRefinements = (
  operationId: string,
  { body, bodyPath }: HttpRequest,
  report: Report,
): void => {
  const route = isRoute(operationId) ? contract[operationId] : null;
  if (!route || !('body' in route)) return;
  for (const issue of route.body.safeParse(body).error?.issues ?? []) {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    report({
      rule: 'refused-request',
      message: `The service refuses the request body at ${path.join('.')}: ${issue.message}.`,
      at: [...bodyPath, ...path],
    });
  }
};
