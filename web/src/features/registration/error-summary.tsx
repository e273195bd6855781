import { getErrorMessage } from '../../shared/api/failure.ts'
import { Notice } from '../../shared/ui/notice.tsx'

/** Lists all errors above the form; each error is repeated under its field. */
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
        {getErrorMessage(failure, 'Your account could not be created. Please try again.')}
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
