class Operators{constructor(level,reader){const many=(make)=>Array.from({length:reader.next()},make);this.costs=level.costs;this.variable=[];this.firsts=[];this.start=many((_,variable)=>{const size=reader.next(),first=this.variable.length;this.firsts.push(first);for(let i=0;i<size;i++)this.variable.push(variable);return first+reader.next();});this.operators=many(()=>({move:reader.next(),needs:reader.gaps(),effects:many(()=>({needs:reader.gaps(),fact:reader.next()})),}));this.axioms=many(()=>({layer:reader.next(),fact:reader.next(),needs:reader.gaps()}));this.goal=reader.gaps();this.told=[...level.places,...(level.facts||[]),...(level.reached||[])].map(()=>reader.gaps());this.unseen=reader.gaps();this.start=this.derived(this.start);}
holds(state,facts){return facts.every((fact)=>state[this.variable[fact]]===fact);}
after(state,{effects}){const next=[...state];for(const{needs,fact}of effects)if(this.holds(state,needs))next[this.variable[fact]]=fact;return this.derived(next);}
derived(state){for(const{fact}of this.axioms)state[this.variable[fact]]=this.firsts[this.variable[fact]];for(const layer of new Set(this.axioms.map(({layer})=>layer).sort((a,b)=>a-b)))
for(let changed=true;changed;){changed=false;for(const axiom of this.axioms)
if(axiom.layer===layer&&!this.holds(state,[axiom.fact])&&this.holds(state,axiom.needs))
changed=Boolean((state[this.variable[axiom.fact]]=axiom.fact)+1);}
return state;}
moves(state){const found=this.operators.filter(({needs})=>this.holds(state,needs));return[...new Map(found.map((operator)=>[operator.move,this.after(state,operator)]))].sort(([a],[b])=>a-b);}
solved(state){return this.holds(state,this.goal);}
unsure(state){return this.unseen.some((fact)=>this.holds(state,[fact]));}
left(){}
pieces(state){return[...this.told.keys()].filter((place)=>this.holds(state,this.told[place]));}
way(){return[];}}
