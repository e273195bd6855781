import { useUrlState } from '../url/url-state.ts'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

type NoMatchesProps = {
  title: string
  /** The parameters that clearing the filters removes from the URL. */
  cleared: Readonly<Record<string, null>>
}

/** Shows that the search and the filters of a list match nothing, with a button that clears them. */
export function NoMatches({ title, cleared }: NoMatchesProps) {
  const url = useUrlState()
  return (
    <EmptyState
      title={title}
      text="Try adjusting your search or filter criteria"
      action={<Button onClick={() => url.set(cleared)}>Clear the filters</Button>}
    />
  )
}
