#!/usr/bin/env node
import { launch } from '../launch.js';

launch('cli/main.ts', process.argv.slice(2));
