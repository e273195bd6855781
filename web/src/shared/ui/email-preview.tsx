/**
 * Shows a mail as its recipient would see it. The sandboxed frame has no permissions, because the
 * text of a mail may contain any HTML.
 */
export function EmailPreview({ subject, html }: { subject: string; html: string }) {
  return (
    <figure className="grid gap-2">
      <figcaption className="wrap-anywhere font-medium text-14">{subject}</figcaption>
      <iframe
        title="Email preview"
        sandbox=""
        srcDoc={html}
        className="h-96 w-full rounded-card border border-line bg-white"
      />
    </figure>
  )
}
