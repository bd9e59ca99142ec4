// What the service uses and Node.js 20 lacks: by itself the service needs a newer one, and the kit promises to run on 20.12.
// `tsconfig.node20.json` checks the types of all that is bundled with these, and with nothing newer of the language.

Promise.withResolvers ??= <Value>() => {
  let resolve!: PromiseWithResolvers<Value>['resolve'];
  let reject!: PromiseWithResolvers<Value>['reject'];
  const promise = new Promise<Value>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  return { promise, resolve, reject };
};

Map.groupBy ??= <Key, Item>(items: Iterable<Item>, keyOf: (item: Item, index: number) => Key) => {
  const groups = new Map<Key, Item[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
};

URL.parse ??= (url, base) => (URL.canParse(url, base) ? new URL(url, base) : null);
