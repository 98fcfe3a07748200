<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>CommandCard</name>
    <message>
        <source>Commands, run for you in this order</source>
        <translation>将按此顺序为您运行的命令</translation>
    </message>
    <message>
        <source>Copy: {title}</source>
        <translation>复制：{title}</translation>
    </message>
    <message>
        <source>Shell of the commands</source>
        <translation>命令所用的 shell</translation>
    </message>
</context>
<context>
    <name>FailureStep</name>
    <message>
        <source>Could not be removed: {paths}</source>
        <translation>未能移除：{paths}</translation>
    </message>
</context>
<context>
    <name>Footer</name>
    <message>
        <source>Another one</source>
        <translation>再建一个</translation>
    </message>
    <message>
        <source>Back to the plan</source>
        <translation>返回方案</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel and clean up</source>
        <translation>取消并清理</translation>
    </message>
    <message>
        <source>Cleaning up…</source>
        <translation>正在清理…</translation>
    </message>
    <message>
        <source>Copy as script</source>
        <translation>复制为脚本</translation>
    </message>
    <message>
        <source>Full log</source>
        <translation>完整日志</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Make it</source>
        <translation>开始创建</translation>
    </message>
    <message>
        <source>New training script</source>
        <translation>新建训练脚本</translation>
    </message>
    <message>
        <source>Remove it</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove it again…</source>
        <translation>移除此环境…</translation>
    </message>
    <message>
        <source>Remove {folder} with all that is installed in it?</source>
        <translation>移除 {folder} 及其中安装的全部内容？</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
    <message>
        <source>You may leave this page; it goes on and tells you when it is ready.</source>
        <translation>可以离开此页；创建会继续进行，完成后会通知您。</translation>
    </message>
</context>
<context>
    <name>HowToUse</name>
    <message>
        <source>How to use it</source>
        <translation>如何使用</translation>
    </message>
    <message>
        <source>In a terminal</source>
        <translation>在终端中</translation>
    </message>
    <message>
        <source>On another machine of the same kind</source>
        <translation>在另一台同类机器上</translation>
    </message>
    <message>
        <source>Save lock file…</source>
        <translation>保存锁定文件…</translation>
    </message>
    <message>
        <source>Save the lock file</source>
        <translation>保存锁定文件</translation>
    </message>
</context>
<context>
    <name>InstallerLog</name>
    <message>
        <source>Copy what the installer says</source>
        <translation>复制安装程序的输出</translation>
    </message>
    <message>
        <source>What the installer says</source>
        <translation>安装程序的输出</translation>
    </message>
</context>
<context>
    <name>LeftoverCard</name>
    <message>
        <source>Remove the remains</source>
        <translation>移除残留</translation>
    </message>
    <message>
        <source>The making of {folder} was cut off; its remains still lie there.</source>
        <translation>{folder} 的创建曾被中断，残留文件还在原处。</translation>
    </message>
</context>
<context>
    <name>MakeEnvironment</name>
    <message>
        <source>A folder of wheels</source>
        <translation>wheel 文件夹</translation>
    </message>
    <message>
        <source>A lock file</source>
        <translation>锁定文件</translation>
    </message>
    <message>
        <source>A plan for a recorded machine: copy it and run it there</source>
        <translation>这是为已记录机器制定的方案：请复制到那台机器上运行</translation>
    </message>
    <message>
        <source>Another index</source>
        <translation>其他软件源</translation>
    </message>
    <message>
        <source>As pip is set up</source>
        <translation>按 pip 的设置</translation>
    </message>
    <message>
        <source>As the lock file says</source>
        <translation>以锁定文件为准</translation>
    </message>
    <message>
        <source>Asking the package index for sizes…</source>
        <translation>正在向软件源查询大小…</translation>
    </message>
    <message>
        <source>Can&apos;t be made here</source>
        <translation>此处无法创建</translation>
    </message>
    <message>
        <source>Depends on the network</source>
        <translation>取决于网络</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>It could not be made</source>
        <translation>创建失败</translation>
    </message>
    <message>
        <source>Made, but not proven</source>
        <translation>已创建，但未通过验证</translation>
    </message>
    <message>
        <source>Name where the packages come from</source>
        <translation>请填写软件包来源</translation>
    </message>
    <message>
        <source>Not known beforehand</source>
        <translation>事先无从得知</translation>
    </message>
    <message>
        <source>On disk</source>
        <translation>占用磁盘</translation>
    </message>
    <message>
        <source>On the processor only</source>
        <translation>仅使用处理器</translation>
    </message>
    <message>
        <source>Packages: {done}</source>
        <translation>软件包：{done}</translation>
    </message>
    <message>
        <source>Packages: {done} of {total}</source>
        <translation>软件包：{done}/{total}</translation>
    </message>
    <message>
        <source>Ready, and proven</source>
        <translation>就绪，且已验证</translation>
    </message>
    <message>
        <source>TensorFlow on the GPU</source>
        <translation>TensorFlow 使用 GPU</translation>
    </message>
    <message>
        <source>The proof must decide</source>
        <translation>须由验证决定</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Unpacking…</source>
        <translation>正在解包…</translation>
    </message>
    <message>
        <source>Working out the plan…</source>
        <translation>正在制定方案…</translation>
    </message>
    <message>
        <source>Works, on the processor</source>
        <translation>可用，运行在处理器上</translation>
    </message>
    <message>
        <source>about {time}</source>
        <translation>约 {time}</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>剩余约 {time}</translation>
    </message>
    <message>
        <source>free room not known</source>
        <translation>剩余空间未知</translation>
    </message>
    <message>
        <source>h</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>less what is cached already</source>
        <translation>扣除已缓存的部分</translation>
    </message>
    <message>
        <source>made in {time}</source>
        <translation>创建用时 {time}</translation>
    </message>
    <message>
        <source>min</source>
        <translation>分钟</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>not for this machine</source>
        <translation>不适用于此机器</translation>
    </message>
    <message>
        <source>nothing cached yet</source>
        <translation>尚无缓存</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>with the proof</source>
        <translation>含验证</translation>
    </message>
    <message>
        <source>{size} free</source>
        <translation>剩余 {size}</translation>
    </message>
    <message>
        <source>{size} of it already cached</source>
        <translation>其中 {size} 已缓存</translation>
    </message>
    <message>
        <source>{unit}of {total}</source>
        <translation>{unit}/ {total}</translation>
    </message>
    <message>
        <source>{version}, best for this machine</source>
        <translation>{version}，最适合此机器</translation>
    </message>
    <message>
        <source>{version}, processor only</source>
        <translation>{version}，仅处理器</translation>
    </message>
</context>
<context>
    <name>MakeEnvironmentPage</name>
    <message>
        <source>Copy as script</source>
        <translation>复制为脚本</translation>
    </message>
    <message>
        <source>Make</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>Make a working environment</source>
        <translation>创建可用环境</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Proof</source>
        <translation>验证</translation>
    </message>
</context>
<context>
    <name>MakeStep</name>
    <message>
        <source>Ending it and removing what was made so far…</source>
        <translation>正在结束，并移除已创建的内容…</translation>
    </message>
</context>
<context>
    <name>PlanForm</name>
    <message>
        <source>Address of the index</source>
        <translation>软件源地址</translation>
    </message>
    <message>
        <source>Folder of wheels</source>
        <translation>wheel 文件夹</translation>
    </message>
    <message>
        <source>Lock file</source>
        <translation>锁定文件</translation>
    </message>
    <message>
        <source>Look for a place</source>
        <translation>选择位置</translation>
    </message>
    <message>
        <source>Look for the folder of wheels</source>
        <translation>选择 wheel 文件夹</translation>
    </message>
    <message>
        <source>Look for the lock file</source>
        <translation>选择锁定文件</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新文件夹</translation>
    </message>
    <message>
        <source>No existing environment is touched. Cancelled, it leaves nothing behind.</source>
        <translation>不会改动任何已有环境；取消后不留任何痕迹。</translation>
    </message>
    <message>
        <source>What is made</source>
        <translation>创建内容</translation>
    </message>
    <message>
        <source>Where packages come from</source>
        <translation>软件包来源</translation>
    </message>
</context>
<context>
    <name>PlanStep</name>
    <message>
        <source>Checked beforehand</source>
        <translation>事先检查</translation>
    </message>
    <message>
        <source>Folder of wheels</source>
        <translation>wheel 文件夹</translation>
    </message>
    <message>
        <source>Good to know</source>
        <translation>须知</translation>
    </message>
    <message>
        <source>Interpreters, free room and the releases for this machine are looked at.</source>
        <translation>正在查看解释器、剩余空间和适用于此机器的版本。</translation>
    </message>
    <message>
        <source>Lock file</source>
        <translation>锁定文件</translation>
    </message>
    <message>
        <source>Name where the packages come from, then the plan follows.</source>
        <translation>填写软件包来源后即可给出方案。</translation>
    </message>
    <message>
        <source>No plan</source>
        <translation>没有方案</translation>
    </message>
    <message>
        <source>One more answer</source>
        <translation>还差一项</translation>
    </message>
    <message>
        <source>Show the ways on</source>
        <translation>查看解决途径</translation>
    </message>
    <message>
        <source>Wake {cards} for the proof</source>
        <translation>为验证唤醒 {cards}</translation>
    </message>
    <message>
        <source>Where should the new folder lie?</source>
        <translation>新文件夹放在哪里？</translation>
    </message>
    <message>
        <source>Working out the plan…</source>
        <translation>正在制定方案…</translation>
    </message>
</context>
<context>
    <name>ProofStep</name>
    <message>
        <source>Use this environment</source>
        <translation>使用此环境</translation>
    </message>
    <message>
        <source>What was loaded</source>
        <translation>加载了什么</translation>
    </message>
</context>
<context>
    <name>ProvenCard</name>
    <message>
        <source>No GPU took part</source>
        <translation>没有 GPU 参与</translation>
    </message>
    <message>
        <source>What TensorFlow said</source>
        <translation>TensorFlow 的输出</translation>
    </message>
    <message>
        <source>What was proven</source>
        <translation>验证内容</translation>
    </message>
</context>
<context>
    <name>WhatWasRun</name>
    <message>
        <source>What was run</source>
        <translation>运行过的命令</translation>
    </message>
</context>
</TS>
