import { TextLink } from '../../shared/ui/text-link.tsx'

/** Links to the details of a transaction of the signed-in investor. */
export function RequestLink({ id }: { id: string }) {
  return (
    <TextLink to={`/manage/investor/transactions?transaction=${id}`}>Open the request</TextLink>
  )
}
