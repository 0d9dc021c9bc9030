// Venue B in the suite that the trading of every venue has to pass.

import { tradingContract } from '../../trading-contract.ts';
import { VenueBTradingRig } from './trading-rig.ts';

tradingContract('venue B', () => VenueBTradingRig.open());
