import { useEffect } from 'react'
import { useSearchParams } from '../../shared/url/navigation.tsx'

/**
 * Stores the id of a referral link that opened the page. The script that stores it loads only then,
 * because most visits come without such a link.
 */
export function useReferralLink(): void {
  const [search] = useSearchParams()
  const refid = search.get('refid')
  useEffect(() => {
    if (refid === null) return
    void import('./stored-referral.ts').then((stored) => stored.storeReferral(refid, Date.now()))
  }, [refid])
}
