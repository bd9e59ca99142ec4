import { useEffect } from 'react';

/** `title` becomes the first part of the tab's title. */
export const useDocumentTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Muster`;
  }, [title]);
};
