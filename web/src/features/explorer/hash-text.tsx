const SHOWN = 8

/** The beginning of a hash; all of it for a pointer, for copying and for assistive technology. */
export function HashText({ hash, whole = false }: { hash: string; whole?: boolean }) {
  return (
    <code title={hash} className="tabular break-all">
      {whole ? hash : `${hash.slice(0, SHOWN)}…`}
    </code>
  )
}
