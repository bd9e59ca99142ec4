/** Equality of JSON values: the order of an object's keys says nothing, an absent key is one without a value. */
export const isSameValue = (left: unknown, right: unknown): boolean => {
  if (left === right || Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || !left || !right) return false;
  if (!Array.isArray(left)) return !Array.isArray(right) && isSameObject(left, right);
  return (
    Array.isArray(right) &&
    left.length === right.length &&
    left.every((element, index) => isSameValue(element, right[index]))
  );
};

const isSameObject = (left: object, right: object): boolean => {
  const keys = presentKeys(left);
  return (
    keys.length === presentKeys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameValue(at(left, key), at(right, key)))
  );
};

const presentKeys = (value: object): string[] =>
  Object.keys(value).filter((key) => at(value, key) !== undefined);

const at = (value: object, key: string): unknown => (value as Record<string, unknown>)[key];
