import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReportView, Session } from '../html/view.js';
import { isVisible, NO_FILTER } from './overview/filters.js';
import { Overview } from './overview/overview.js';
import { hashOf, type IndexedShot, readSession, readView } from './page-data.js';
import { useApproval } from './review/approval.js';
import { Toast } from './review/toast.js';
import { ShotPage } from './shot/shot-page.js';

/** Renders the report: the overview of all shots, or the shot that the URL hash names. */
function App({ view, session }: { view: ReportView; session: Session | null }) {
  const shots = useMemo(() => view.shots.map((shot, index): IndexedShot => ({ ...shot, index })), [view]);
  const [filter, setFilter] = useState(NO_FILTER);
  const [openShot, setOpenShot] = useOpenShot(shots);
  const [isPassedOpen, setPassedOpen] = useState(false);
  const lastOpened = useRef<IndexedShot | null>(null);
  lastOpened.current = openShot ?? lastOpened.current;
  const { approval, request, dismiss } = useApproval(view.shots, session);
  const visible = useMemo(() => shots.filter((shot) => isVisible(shot, filter)), [shots, filter]);
  return (
    <>
      {openShot ? (
        <ShotPage
          key={openShot.index}
          shot={openShot}
          visible={visible}
          all={shots}
          approval={approval}
          onOpen={setOpenShot}
        />
      ) : (
        <Overview
          view={view}
          all={shots}
          visible={visible}
          filter={filter}
          onFilter={setFilter}
          passed={{ isOpen: isPassedOpen, onToggle: setPassedOpen }}
          lastOpened={lastOpened.current}
          approval={approval}
          onOpen={setOpenShot}
        />
      )}
      <Toast request={request} onUndo={approval.undo} onDismiss={dismiss} />
    </>
  );
}

/**
 * Returns the shot that the URL hash names, and a function that opens a shot; null is the overview. The hash makes the browser's
 * back and forward buttons work, and each shot linkable.
 */
function useOpenShot(shots: readonly IndexedShot[]): [IndexedShot | null, (shot: IndexedShot | null) => void] {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const onHashChange = () => setHash(location.hash);
    // `hashchange` fires asynchronously. A key that is pressed before it must already reach the shot page.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link?.hash.startsWith('#shot/') || !isPlainClick) return;
      event.preventDefault();
      location.hash = link.hash;
      onHashChange();
    };
    window.addEventListener('hashchange', onHashChange);
    document.addEventListener('click', onClick);
    return () => {
      window.removeEventListener('hashchange', onHashChange);
      document.removeEventListener('click', onClick);
    };
  }, []);
  const [, index = ''] = /^#shot\/(\d+)$/.exec(hash) ?? [];
  const openShot = index === '' ? null : (shots[Number(index)] ?? null);
  const setOpenShot = (shot: IndexedShot | null) => {
    location.hash = shot ? hashOf(shot) : '#';
    setHash(location.hash);
  };
  return [openShot, setOpenShot];
}

const root = document.getElementById('proofsheet');
if (root) render(<App view={readView()} session={readSession()} />, root);
