// A link may have parameters, or values of parameters, that its page does not know, because it is old or mistyped.
import type { AnyRouter } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { notifyDone } from '../../api/notify.ts';

type Values = Readonly<Record<string, unknown>>;

/** The longest value that the notice contains. */
const MAX_SHOWN = 40;

/** Removes from the URL what the schema of the open page does not accept, and shows a notice. The page already ignores it. */
export const useKnownParameters = (): void => {
  const router = useRouter();
  useEffect(() => {
    let opened: Values | null = readOpened(router);
    const clean = () => {
      const { location, matches, status } = router.state;
      // While a page loads, the matches are those of the page before it. The event follows.
      if (status !== 'idle') return;
      const accepted: Values = matches.at(-1)?._strictSearch ?? {};
      const isUnknown = ([name]: [string, unknown]) => accepted[name] === undefined;
      const unknown = Object.entries({ ...opened, ...location.search }).filter(isUnknown);
      opened = null;
      if (unknown.length === 0) return;
      notifyDone(describe(unknown));
      const search = { ...location.search };
      for (const [name] of unknown) delete search[name as keyof typeof search];
      void router.navigate({ to: '.', search, replace: true, resetScroll: false });
    };
    clean();
    return router.subscribe('onResolved', clean);
  }, [router]);
};

/** The parameters of the link that opened the app. The router removes wrong values from the URL while it starts. */
const readOpened = (router: AnyRouter): Values => {
  const [entry] = performance.getEntriesByType('navigation');
  const { pathname, search } = new URL(entry?.name ?? document.URL);
  return pathname === router.state.location.pathname ? router.options.parseSearch(search) : {};
};

const describe = (unknown: readonly [string, unknown][]): string => {
  const names = unknown.map(([name, value]) => `“${shorten(name, value)}”`).join(', ');
  return unknown.length === 1
    ? `The parameter ${names} in this link is unknown and was removed.`
    : `The parameters ${names} in this link are unknown and were removed.`;
};

const shorten = (name: string, value: unknown): string => {
  const text = typeof value === 'object' ? '' : String(value);
  return text === '' || text.length > MAX_SHOWN ? name : `${name}=${text}`;
};
