// One interaction as the check reads it: the same shape for every version of the specification.

import type { PactInteraction } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord } from '../values.ts';
import type { GeneratorSet } from './generated-values.ts';
import { readGenerators, withoutStateValues } from './generated-values.ts';
import type { RuleSet } from './matching-rules.ts';
import { readRules } from './matching-rules.ts';

type HttpPart = {
  headers: { name: string; values: string[] }[];
  /** Undefined when the part says nothing about a body. */
  body: unknown;
  /** The path of the body in the interaction. */
  bodyPath: JsonPath;
  rules: RuleSet;
  generators: GeneratorSet;
};

export type HttpRequest = HttpPart & {
  method: string;
  path: string;
  query: { name: string; values: string[] }[];
};

export type HttpResponse = HttpPart & { status: number };

export type HttpInteraction = { request: HttpRequest; response: HttpResponse };

export const readHttp = ({ content }: PactInteraction): HttpInteraction => {
  const request = isRecord(content.request) ? content.request : {};
  const response = isRecord(content.response) ? content.response : {};
  return {
    request: {
      ...readPart(request, 'request'),
      method: String(request.method ?? 'GET').toUpperCase(),
      path: String(request.path ?? '/'),
      query: readQuery(request.query),
    },
    response: { ...readPart(response, 'response'), status: Number(response.status ?? 200) },
  };
};

const readPart = (part: Record<string, unknown>, name: string): HttpPart => {
  const { body, path } = readBody(part.body);
  const generators = readGenerators(part.generators);
  return {
    headers: readLists(part.headers),
    body,
    bodyPath: [name, ...path],
    rules: withoutStateValues(readRules(part.matchingRules), generators),
    generators,
  };
};

/** Version 4 wraps the content; `encoded` says whether it stands there as base64 or as JSON text. */
const readBody = (written: unknown): { body: unknown; path: JsonPath } => {
  const wrapped =
    isRecord(written) && 'content' in written && ('contentType' in written || 'encoded' in written);
  if (!wrapped) return { body: written ?? undefined, path: ['body'] };
  return { body: readContent(written), path: ['body', 'content'] };
};

const readContent = ({ content, encoded }: Record<string, unknown>): unknown => {
  if (typeof content !== 'string') return content;
  if (content === '') return undefined;
  const isBase64 = encoded === 'base64' || encoded === true;
  const text = isBase64 ? Buffer.from(content, 'base64').toString('utf8') : content;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const readLists = (written: unknown): { name: string; values: string[] }[] =>
  isRecord(written)
    ? Object.entries(written).map(([name, value]) => ({ name, values: [value].flat().map(String) }))
    : [];

/** Versions 1 and 2 write the query string as it is sent. */
const readQuery = (written: unknown): { name: string; values: string[] }[] => {
  if (typeof written !== 'string') return readLists(written);
  const parameters = new URLSearchParams(written);
  return [...new Set(parameters.keys())].map((name) => ({ name, values: parameters.getAll(name) }));
};
