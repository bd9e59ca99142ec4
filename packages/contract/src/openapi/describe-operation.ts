// One route of the contract as one operation.
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { contract } from '../router.ts';
import type { RouteName } from './contract-route.ts';
import { describeResponses } from './describe-responses.ts';
import { JOIN_REQUESTS } from './examples/join-examples.ts';

const TAG_OF = {
  listItemHistory: 'Histories',
  listXpHistory: 'Histories',
  joinByPlatformSession: 'Sessions',
} as const satisfies Record<RouteName, string>;

export const describeOperation = (name: RouteName): ZodOpenApiOperationObject => {
  const route = contract[name];
  return {
    operationId: name,
    tags: [TAG_OF[name]],
    summary: route.summary,
    description: route.description,
    requestParams: { path: route.pathParams, query: route.query },
    ...('body' in route && {
      requestBody: {
        required: true,
        description: 'What the player states about themselves.',
        content: { 'application/json': { schema: route.body, examples: JOIN_REQUESTS } },
      },
    }),
    responses: describeResponses(name),
  };
};
