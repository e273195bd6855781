export { ReferralLink } from './referral-link.tsx'
