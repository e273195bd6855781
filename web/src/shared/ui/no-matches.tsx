import { useUrlState } from '../url/url-state.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'
import { focusSearch } from './focus-search.ts'

type NoMatchesProps = {
  title: string
  /** The parameters that clearing the filters removes from the URL. */
  cleared: Readonly<Record<string, null>>
}

/**
 * Shows that the search and the filters of a list match nothing, with a button that clears them.
 * The button disappears with the message, so it moves the focus to the search of the same list.
 */
export function NoMatches({ title, cleared }: NoMatchesProps) {
  const url = useUrlState()
  return (
    <EmptyState
      title={title}
      text="Try adjusting your search or filter criteria"
      action={
        <Button
          onClick={({ currentTarget }) => {
            focusSearch(currentTarget)
            url.set(cleared)
          }}
        >
          Clear the filters
        </Button>
      }
    />
  )
}
