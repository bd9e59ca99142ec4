// Reads a built document as plain JSON, the way that its consumers do.
import type { OpenApiOptions } from '../build-openapi.ts';
import { buildOpenApi } from '../build-openapi.ts';

export type Json = { [key: string]: Json } & Json[] & (string | number | boolean | undefined);

type MediaType = { schema: Json; examples: Record<string, { summary: string; value: unknown }> };
type Content = { 'application/json': MediaType };
export type Header = {
  required: boolean;
  schema: Json;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
};
export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  style?: string;
  explode?: boolean;
  schema: Json;
};

export type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<
    string,
    { description: string; headers: Record<string, Header>; content: Content }
  >;
};

export type PlainDocument = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json> };
};

export const readDocument = (version: OpenApiOptions['version']): PlainDocument =>
  JSON.parse(JSON.stringify(buildOpenApi({ version })));

export const listOperations = ({ paths }: PlainDocument): Operation[] =>
  Object.values(paths).flatMap((item) => Object.values(item));

/** Every object in a value, itself included. */
export const listObjects = (value: unknown): Record<string, unknown>[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap((entry) => listObjects(entry));
  return Array.isArray(value) ? inner : [value as Record<string, unknown>, ...inner];
};
