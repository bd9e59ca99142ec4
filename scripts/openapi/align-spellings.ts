// Two contracts that mean the same may spell it differently, which the comparison would take for a change: brings both into
// one spelling first.
import { UUID_PATTERN } from '@muster/contract';

type Json = { [key: string]: unknown };

/** Both documents as copies that differ only in what they mean. */
export const alignSpellings = (released: object, current: object): [object, object] => {
  const knew32Digits = JSON.stringify(released).includes(JSON.stringify(UUID_PATTERN));
  return [align(released, false), align(current, !knew32Digits)];
};

const align = (document: object, readsPatternAsFormat: boolean): object => {
  const schemas = (document as { components?: { schemas?: Json } }).components?.schemas ?? {};

  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (!isObject(node)) return node;
    const own = mergeNull(node);
    return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, visit(value)]));
  };

  /** `anyOf` of a schema and null is that schema, with null among its types. */
  const mergeNull = (node: Json): Json => {
    // Requests take a UUID in its registered format, and in one form more: no request that was accepted is refused.
    if (readsPatternAsFormat && node.pattern === UUID_PATTERN) {
      const { pattern: _wider, ...rest } = node;
      return { ...rest, format: 'uuid' };
    }
    const { anyOf, ...rest } = node;
    if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
    const [choice, none] = anyOf as [Json, Json];
    if (none.type !== 'null') return node;
    const target = typeof choice.$ref === 'string' ? resolve(choice.$ref) : choice;
    return { ...target, ...rest, type: [target.type, 'null'].flat() };
  };

  const resolve = (reference: string): Json => {
    const target = schemas[reference.split('/').at(-1) ?? ''];
    return isObject(target) ? target : {};
  };

  return visit(document) as object;
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
