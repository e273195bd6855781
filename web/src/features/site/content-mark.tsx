/** States that content is fictional or paid for. */
export function ContentMark({ text }: { text: string }) {
  return (
    <span className="h-fit w-fit shrink-0 rounded-full bg-info-soft px-2.5 py-1 font-medium text-12 text-info">
      {text}
    </span>
  )
}
