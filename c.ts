import { createArena, regionOf } from './src/book/memory.ts';
import { BookWriter } from './src/book/writer.ts';
import { BookReader, BookCopy } from './src/book/reader.ts';
const arena=createArena(); const region=regionOf(arena,'venue_b');
const w=new BookWriter(region,()=>{});
w.receivedAt=Date.now() as never;
const B=Number(process.argv[2]??1000);const views=process.argv[3]==='views';
const ids=[];for(let i=0;i<B;i++){const b=w.openBook(100 as never)!;ids.push(b);if(views)w.setViews(b,true,false);w.begin(b);w.clear(b);for(let p=1;p<50;p++){w.set(b,0,p*100 as never,1e6*p as never);w.set(b,1,(100-p)*100 as never,1e6*p as never)}w.commitSnapshot(b,1 as never)}
const N=1<<16; const bk=new Int32Array(N),sd=new Int32Array(N),pr=new Int32Array(N),sz=new Float64Array(N);
for(let i=0;i<N;i++){bk[i]=Math.floor(Math.random()*B);sd[i]=i&1;const k=Math.floor(Math.abs((Math.random()+Math.random()+Math.random()-1.5)*20));pr[i]=((i&1)?51+k:49-k)*100;sz[i]=Math.random()<.3?0:Math.floor(Math.random()*1000)*1e6}
for(let r=0;r<6;r++){const t=process.hrtime.bigint();for(let i=0;i<4*N;i++){const j=i&(N-1);w.begin(bk[j] as never);w.set(bk[j] as never,sd[j] as never,pr[j] as never,sz[j] as never);w.commit(bk[j] as never,1 as never)}console.log(Number(process.hrtime.bigint()-t)/(4*N),'ns apply+tape')}
const rd=new BookReader(region),c=new BookCopy(10);let s=0;for(let r=0;r<3;r++){const t=process.hrtime.bigint();for(let i=0;i<200000;i++){rd.read(bk[i&(N-1)] as never,0,c);s+=c.bids.prices[0]!}console.log('read',Number(process.hrtime.bigint()-t)/200000,s)}
