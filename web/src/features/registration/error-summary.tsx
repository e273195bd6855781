import { messageOf } from '../../shared/api/failure.ts'
import { Notice } from '../../shared/ui/notice.tsx'

/** What is wrong, above the form; the sentences stand again under their fields. */
export function ErrorSummary({
  failure,
  errors,
}: {
  failure: unknown
  errors: Readonly<Record<string, string>>
}) {
  if (failure === null) return null
  const sentences = Object.entries(errors)
  return (
    <Notice tone="error">
      <p className="font-medium">
        {messageOf(failure, 'Your account could not be created. Please try again.')}
      </p>
      {sentences.length > 1 && (
        <ul className="mt-1 list-disc pl-4">
          {sentences.map(([field, sentence]) => (
            <li key={field}>{sentence}</li>
          ))}
        </ul>
      )}
    </Notice>
  )
}
