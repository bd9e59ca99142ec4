import { useEffect, useRef } from 'react';

/** For the first field of a page in front of the sign-in: it has the focus when the page opens. */
export const useFirstFocus = () => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
};
