export { type Feature, FeatureGrid } from './feature-grid.tsx'
