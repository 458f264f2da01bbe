import { render } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ReportView, Session, ShotView } from '../view.js';
import { useApproval } from './approval.js';
import { CommentDraft, Toast } from './decisions.js';
import { useDraft } from './draft.js';
import { isVisible, NO_FILTER } from './filters.js';
import { Overview } from './overview.js';
import { hashOf, ReportContext } from './report-context.js';
import { ShotPage } from './shot-page.js';

function App({ view, session }: { view: ReportView; session: Session | null }) {
  const { shots } = view;
  const [filter, onFilter] = useState(NO_FILTER);
  const [openShot, open] = useOpenShot(shots);
  const [isOpen, onToggle] = useState(false);
  const lastOpened = useRef<ShotView | null>(null);
  lastOpened.current = openShot ?? lastOpened.current;
  const [served, published] = [useApproval(shots, session), useDraft(view)];
  const { approval, notice, dismiss } = view.isPublished ? published : served;
  const visible = useMemo(
    () => shots.filter((shot) => isVisible(shot, filter, approval.decidedOf(shot) !== undefined)),
    [shots, filter, approval.decidedOf],
  );
  return (
    <ReportContext.Provider value={{ view, visible, approval, open }}>
      {openShot ? (
        <ShotPage key={openShot.index} shot={openShot} />
      ) : (
        <Overview {...{ filter, onFilter }} passed={{ isOpen, onToggle }} lastOpened={lastOpened.current} />
      )}
      <div class="notices">
        <Toast notice={notice} onDismiss={dismiss} />
        <CommentDraft />
      </div>
    </ReportContext.Provider>
  );
}

/** Returns the shot that the URL hash names, and a function that opens a shot; null is the overview. */
function useOpenShot(shots: readonly ShotView[]): [ShotView | null, (shot: ShotView | null) => void] {
  const [hash, setHash] = useState(location.hash);
  const go = (target: string) => {
    location.hash = target;
    setHash(location.hash);
  };
  useLayoutEffect(() => {
    const onHashChange = () => setHash(location.hash);
    // `hashchange` fires asynchronously. A key that is pressed before it must already reach the shot page.
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link?.hash.startsWith('#shot/') || !isPlainClick) return;
      event.preventDefault();
      go(link.hash);
    };
    window.addEventListener('hashchange', onHashChange);
    document.addEventListener('click', onClick);
    return () => {
      window.removeEventListener('hashchange', onHashChange);
      document.removeEventListener('click', onClick);
    };
  }, []);
  const [, index] = /^#shot\/(\d+)$/.exec(hash) ?? [];
  return [shots[Number(index)] ?? null, (shot) => go(shot ? hashOf(shot) : '#')];
}

const root = document.getElementById('proofsheet');
const dataOf = (id: string) => JSON.parse(document.getElementById(id)?.textContent ?? 'null');
// Without a server, there is no session.
if (root) render(<App view={dataOf('proofsheet-view')} session={dataOf('proofsheet-session')} />, root);
