import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Decision } from '../../model/review.js';
import type { ShotView, View } from '../html/view.js';
import { EVERYTHING, isShown } from './overview/filters.js';
import { Overview } from './overview/overview.js';
import { type ApprovalContext, addressOf, type Frame, type Session } from './page-data.js';
import { decisionsOf, sendDecision, sendUndo } from './review/decide.js';
import { Toast, type ToastMessage } from './review/toast.js';
import { ShotPage } from './shot/shot-page.js';

/** The whole page: all shots, or the one that the address names. */
export function App({ view, session }: { view: View; session: Session | null }) {
  const frames = useMemo(() => view.shots.map((shot, index) => ({ shot, index })), [view]);
  const [filter, setFilter] = useState(EVERYTHING);
  const [opened, open] = useOpened(frames);
  const [isFineOpen, setFineOpen] = useState(false);
  const last = useRef<Frame | null>(null);
  last.current = opened ?? last.current;
  const { desk, told, dismiss } = useApprovalContext(view, session);
  const shown = useMemo(() => frames.filter(({ shot }) => isShown(shot, filter)), [frames, filter]);
  return (
    <>
      {opened ? (
        <ShotPage key={opened.index} frame={opened} frames={shown} all={frames} desk={desk} onOpen={open} />
      ) : (
        <Overview
          view={view}
          all={frames}
          shown={shown}
          filter={filter}
          onFilter={setFilter}
          fine={{ isOpen: isFineOpen, onToggle: setFineOpen }}
          last={last.current}
          desk={desk}
          onOpen={open}
        />
      )}
      <Toast told={told} onUndo={desk.undo} onDismiss={dismiss} />
    </>
  );
}

/** The shot that the address names: so the browser's own back and forward work, and a shot can be linked to. */
function useOpened(frames: readonly Frame[]): [Frame | null, (frame: Frame | null) => void] {
  const [hash, setHash] = useState(location.hash);
  useLayoutEffect(() => {
    const follow = () => setHash(location.hash);
    // The event comes later, and keys are pressed before it.
    const click = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null;
      const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link?.hash.startsWith('#shot/') || !isPlain) return;
      event.preventDefault();
      location.hash = link.hash;
      follow();
    };
    window.addEventListener('hashchange', follow);
    document.addEventListener('click', click);
    return () => {
      window.removeEventListener('hashchange', follow);
      document.removeEventListener('click', click);
    };
  }, []);
  const [, index = ''] = /^#shot\/(\d+)$/.exec(hash) ?? [];
  const opened = index === '' ? null : (frames[Number(index)] ?? null);
  const open = (frame: Frame | null) => {
    location.hash = frame ? addressOf(frame) : '#';
    setHash(location.hash);
  };
  return [opened, open];
}

function useApprovalContext(
  view: View,
  session: Session | null,
): { desk: ApprovalContext; told: ToastMessage | null; dismiss: () => void } {
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(() => decisionsOf(view.shots));
  const [told, setTold] = useState<ToastMessage | null>(null);
  const [undoId, setUndoId] = useState<string | null>(null);
  const take = (news: Extract<ToastMessage, { kind: 'answer' | 'undone' }>) => {
    setDecisions(news.answer.decisions);
    setUndoId(news.answer.undo);
    setTold(news);
  };
  const fail = (error: Error) => setTold({ kind: 'failed', message: error.message });
  const decide = (decision: Decision, shots: readonly ShotView[]) => {
    const targets = shots.filter(({ isDecidable }) => isDecidable);
    if (!session || targets.length === 0) return;
    setTold({ kind: 'waiting' });
    sendDecision(session, decision, targets).then(
      (answer) => take({ kind: 'answer', answer, decision, shots: targets }),
      fail,
    );
  };
  const undo = () => {
    if (!session || undoId === null) return;
    setTold({ kind: 'waiting' });
    // Nobody can take it back twice, whatever the answer is.
    setUndoId(null);
    sendUndo(session, undoId).then((answer) => take({ kind: 'undone', answer }), fail);
  };
  const desk = { decide: session && decide, undo: undoId === null ? null : undo, decisions };
  return { desk, told, dismiss: () => setTold(null) };
}
