// Inputs of the admin API are strict: a field that no schema of the procedure has is an error, at any depth. A misspelt
// `expected_etag` would otherwise drop the check that its sender relies on.
import { customIssue } from '@muster/contract';
import { z } from 'zod';
import { forEachPaced } from '../flow/index.ts';

type Issue = z.core.$ZodIssue;
type Path = (string | number)[];
/** Adds an issue for each unknown field inside `value`. With `later`, the elements of a list are left to it. */
type Find = (value: unknown, path: Path, issues: Issue[], later?: (() => void)[]) => void;
type ObjectSchema = z.core.$ZodObject & { _zod: { def: z.core.$ZodObjectDef } };

/** Throws an error with every problem of the input when one of them is an unknown field. */
type RefuseUnknownFields = (input: unknown) => Promise<void>;

/** tRPC merges the inputs of a procedure, so a field of any of them is known. Throws for schemas that cannot be strict. */
export const createUnknownFieldCheck = (inputs: readonly z.ZodType[]): RefuseUnknownFields => {
  const find = compileObjects(inputs.map(toObject));
  return async (input) => {
    const unknown: Issue[] = [];
    // The lists of an input may hold 200,000 objects.
    const later: (() => void)[] = [];
    find(input, [], unknown, later);
    await forEachPaced(later, (findInElement) => findInElement());
    if (unknown.length === 0) return;
    const others = await Promise.all(inputs.map((schema) => schema.safeParseAsync(input)));
    throw new z.ZodRealError([...unknown, ...others.flatMap(({ error }) => error?.issues ?? [])]);
  };
};

/** More than a response lists. */
const ENOUGH_ISSUES = 1_000;

const compileObjects = (objects: readonly ObjectSchema[]): Find => {
  const members = new Map<string, Find[]>();
  for (const { _zod } of objects) {
    if (_zod.def.catchall) throw new Error('An input of the admin API must list its fields.');
    for (const [name, member] of Object.entries(_zod.def.shape)) {
      const find = compile(member);
      members.set(name, [...(members.get(name) ?? []), ...(find ? [find] : [])]);
    }
  }
  return (value, path, issues, later) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    for (const [name, member] of Object.entries(value)) {
      if (issues.length >= ENOUGH_ISSUES) return;
      const finders = members.get(name);
      if (finders) for (const find of finders) find(member, [...path, name], issues, later);
      else issues.push(toIssue([...path, name]));
    }
  };
};

/** Without the input: the message of a ZodError is the JSON of its issues, and each would repeat the whole input. */
const toIssue = (path: Path): Issue =>
  customIssue(undefined, 'value_error.extra', 'Unknown field', path);

/** Undefined where no object has named fields. */
const compile = (schema: z.core.$ZodType): Find | undefined => {
  const plain = unwrap(schema);
  const { def } = (plain as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return compileObjects([toObject(plain)]);
    case 'array':
      return compileArray(def.element);
    case 'union':
      return compileUnion(def);
    default:
      return undefined;
  }
};

const compileArray = (element: z.core.$ZodType): Find | undefined => {
  const find = compile(element);
  if (!find) return undefined;
  return (value, path, issues, later) => {
    if (!Array.isArray(value)) return;
    for (const [index, member] of value.entries()) {
      if (later) later.push(() => find(member, [...path, index], issues));
      else find(member, [...path, index], issues);
    }
  };
};

/** The discriminator names the variant whose fields are known. */
const compileUnion = (def: z.core.$ZodUnionDef): Find | undefined => {
  const variants = def.options.map((option) => ({ option, find: compile(option) }));
  if (variants.every(({ find }) => find === undefined)) return undefined;
  if (!('discriminator' in def)) throw new Error('A union of objects needs a discriminator.');
  const discriminator = String(def.discriminator);
  return (value, path, issues) => {
    const tag = (value as Record<string, z.core.util.Primitive> | null)?.[discriminator];
    const variant = variants.find(({ option }) =>
      option._zod.propValues?.[discriminator]?.has(tag),
    );
    variant?.find?.(value, path, issues);
  };
};

const toObject = (schema: z.core.$ZodType): ObjectSchema => {
  const plain = unwrap(schema);
  if (plain._zod.def.type !== 'object') throw new Error('An input must be an object.');
  return plain as ObjectSchema;
};

const unwrap = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return unwrap(def.innerType);
    case 'pipe':
      // Preprocessing comes first and leaves the value in the form that the schema behind it reads.
      return unwrap(def.in._zod.def.type === 'transform' ? def.out : def.in);
    default:
      return schema;
  }
};
