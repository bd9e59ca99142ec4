// Null for an optional member of a request is the same as absence: serialisers of common engines write it.
import { z } from 'zod';

/** An object of a request in which null for an optional member, also of objects inside it, is the same as absence. */
export const nullAsAbsent = <Shape extends z.ZodRawShape>(
  object: z.ZodObject<Shape>,
): z.ZodObject<Shape> =>
  // The preprocessing changes nothing about the type, so it is declared as the object that it is.
  z.preprocess(createNullRemover(object), object) as unknown as typeof object;

/** Returns a copy without the nulls that mean absence; the argument is not changed. */
type RemoveNulls = (value: unknown) => unknown;

/**
 * For values that this schema will read. Null is kept where it has a meaning of its own, such as clearing a value, and where
 * the schema refuses it: for a required member, for an entry of a map, for an element of a list.
 */
export const createNullRemover = (schema: z.ZodType): RemoveNulls => compile(schema) ?? keep;

const keep: RemoveNulls = (value) => value;

/** Undefined where there is nothing to remove, so that reading such a value costs nothing. */
const compile = (schema: z.core.$ZodType): RemoveNulls | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return compileObject(def.shape);
    case 'array':
      return compileArray(def);
    case 'union':
      return 'discriminator' in def ? compileUnion(def as DiscriminatedUnion) : undefined;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return compile(def.innerType);
    case 'pipe':
      // Preprocessing comes first and leaves the value in the form that the schema behind it reads.
      return compile(def.in._zod.def.type === 'transform' ? def.out : def.in);
    default:
      return undefined;
  }
};

const compileObject = (shape: z.core.$ZodShape): RemoveNulls | undefined => {
  const members = Object.entries(shape).flatMap(([name, member]) => {
    const isOptional = acceptsAbsence(member);
    const remove = compile(member);
    return isOptional || remove ? [{ name, isOptional, remove: remove ?? keep }] : [];
  });
  if (members.length === 0) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const given = value as Record<string, unknown>;
    let kept = given;
    for (const { name, isOptional, remove } of members) {
      if (!Object.hasOwn(given, name)) continue;
      const isNull = given[name] === null && isOptional;
      const member = remove(given[name]);
      if (!isNull && member === given[name]) continue;
      if (kept === given) kept = { ...given };
      if (isNull) delete kept[name];
      else kept[name] = member;
    }
    return kept;
  };
};

/** Where null has a meaning of its own, it is kept. */
const acceptsAbsence = (member: z.core.$ZodType): boolean =>
  z.safeParse(member, undefined).success && !z.safeParse(member, null).success;

/** A list that is too long is refused by its length: its elements are not looked at. */
const compileArray = ({ element, checks }: z.core.$ZodArrayDef): RemoveNulls | undefined => {
  const remove = compile(element);
  if (!remove) return undefined;
  const maxima = checks?.map(
    ({ _zod }) => (_zod.def as Partial<z.core.$ZodCheckMaxLengthDef>).maximum,
  );
  const max = maxima?.find((maximum) => maximum !== undefined) ?? Number.POSITIVE_INFINITY;
  return (value) => {
    if (!Array.isArray(value) || value.length > max) return value;
    const kept = value.map(remove);
    return kept.every((element, index) => element === value[index]) ? value : kept;
  };
};

type DiscriminatedUnion = z.core.$ZodDiscriminatedUnionDef & {
  options: readonly z.core.$ZodType[];
};

const compileUnion = ({ options, discriminator }: DiscriminatedUnion): RemoveNulls | undefined => {
  const ways = options.map((option) => ({
    tags: option._zod.propValues?.[discriminator],
    remove: compile(option) ?? keep,
  }));
  if (ways.every(({ remove }) => remove === keep)) return undefined;
  return (value) => {
    const tag = (value as Record<string, z.core.util.Primitive> | null)?.[discriminator];
    const way = ways.find(({ tags }) => tags?.has(tag));
    return way ? way.remove(value) : value;
  };
};
