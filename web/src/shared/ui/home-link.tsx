import { useSite } from '../site/site.ts'
import { Link } from '../url/navigation.tsx'
import { Wordmark } from './cairn-mark.tsx'

/** The wordmark as a link to the landing page. */
export function HomeLink() {
  const { name } = useSite()
  return (
    <Link to="/" aria-label={`${name}, home`} className="min-w-0 rounded-sm">
      <Wordmark className="max-w-full" />
    </Link>
  )
}
