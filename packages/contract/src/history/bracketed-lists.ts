// Lists in a query repeat their name (`item_ids=a&item_ids=b`). Several HTTP clients write the name with brackets instead.
// Unknown parameters are ignored, so such a filter would return the whole history: these names are refused.
import { z } from 'zod';
import { customIssue } from '../strings.ts';

/** The list that a parameter's decoded name means when it has brackets (`item_ids[]`, `item_ids[0]`); undefined for any other name. */
export const findBracketedList = (name: string, lists: readonly string[]): string | undefined =>
  lists.find((list) => name.startsWith(`${list}[`));

type ListQueryDef = z.core.$ZodObjectDef & { lists: readonly string[] };

const ListQuery = z.core.$constructor('ListQuery', (query: z.ZodObject, def: ListQueryDef) => {
  z.ZodObject.init(query, def);
  const parse = query._zod.parse;
  query._zod.parse = (payload, context) => {
    payload.issues.push(...findBrackets(payload.value, def.lists));
    return parse(payload, context);
  };
});

/**
 * The query of a route: an object of list parameters and other parameters.
 * Errors: those of the parameters, and `value_error.bracketed_list` at each name that writes a list with brackets.
 */
export const queryWithLists = <Lists extends z.ZodRawShape, Others extends z.ZodRawShape>(
  lists: Lists,
  others: Others,
): z.ZodObject<Lists & Others> =>
  new ListQuery({
    type: 'object',
    shape: { ...lists, ...others },
    lists: Object.keys(lists),
  }) as unknown as z.ZodObject<Lists & Others>;

const findBrackets = (query: unknown, lists: readonly string[]) =>
  Object.keys(Object(query)).flatMap((name) => {
    const list = findBracketedList(name, lists);
    if (list === undefined) return [];
    const message = `Must be repeated without brackets: ${list}=a&${list}=b`;
    return [customIssue(query, 'value_error.bracketed_list', message, [name])];
  });
